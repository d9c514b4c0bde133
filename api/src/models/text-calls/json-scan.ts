/** What may stand between the strings of JSON. */
const structure = /[\s\d+\-.eEtrufalsn:,[\]{}"]/;

/** Finds the end of a JSON object or list that comes in pieces, without reading it: brackets in strings do not count. */
export class JsonScan {
  #depth = 0;
  #inString = false;
  #escaped = false;
  state: 'open' | 'closed' | 'broken' = 'open';

  /** Reads on from here, and returns the place after the last character of the JSON, or before the one that breaks it. */
  read(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const character = text.charAt(at);
      if (this.#inString) this.#readString(character);
      else if (!structure.test(character)) {
        this.state = 'broken';
        return at;
      } else if (character === '"') this.#inString = true;
      else if (character === '{' || character === '[') this.#depth += 1;
      else if (character === '}' || character === ']') {
        this.#depth -= 1;
        if (this.#depth > 0) continue;
        this.state = 'closed';
        return at + 1;
      }
    }
    return text.length;
  }

  #readString(character: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (character === '\\') this.#escaped = true;
    else if (character === '"') this.#inString = false;
  }
}
