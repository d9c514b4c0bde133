/** Longer than any honest event: a line that never ends must not fill the memory. */
export const longestLine = 16_000_000;

/**
 * Takes the text of a server-sent event stream in pieces cut anywhere and gives the payloads of its `data` lines. More
 * forgiving than the standard: blanks before `data`, and a last event without an empty line after it, are taken too.
 */
export class EventStream {
  #line: string[] = [];
  #lineLength = 0;
  #data: string[] = [];
  /** Comments are how servers keep a slow connection open. */
  sawComment = false;

  /** Appends to `payloads`. Throws when a line is longer than any honest one. */
  push(text: string, payloads: string[]): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#take(this.#finishLine(text.slice(start, end)), payloads);
      start = end + 1;
    }
    if (start === text.length) return;
    this.#line.push(start === 0 ? text : text.slice(start));
    this.#lineLength += text.length - start;
    if (this.#lineLength > longestLine) throw new RangeError('A line of the event stream is too long.');
  }

  end(payloads: string[]): void {
    this.#take(this.#finishLine(''), payloads);
    this.#dispatch(payloads);
  }

  #finishLine(rest: string): string {
    if (this.#line.length === 0) return rest;
    const line = this.#line.join('') + rest;
    this.#line = [];
    this.#lineLength = 0;
    return line;
  }

  #take(raw: string, payloads: string[]): void {
    const line = raw.trim();
    if (line === '') this.#dispatch(payloads);
    else if (line.startsWith('data:')) this.#data.push(line.slice(5).trimStart());
    else if (line.startsWith(':')) this.sawComment = true;
  }

  /** Several lines are one payload by the standard; servers that forget the empty line between events mean several. */
  #dispatch(payloads: string[]): void {
    if (this.#data.length === 1) payloads.push(...this.#data);
    else if (this.#data.length > 1) {
      const joined = this.#data.join('\n');
      payloads.push(...(isJson(joined) ? [joined] : this.#data));
    }
    this.#data = [];
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
