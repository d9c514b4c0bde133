/**
 * Follows fenced code blocks through a text that comes in pieces. What stands in one is quoted: a call in it is shown,
 * not made. Fences are told as Markdown does: at the beginning of a line, three or more of ` or ~.
 */
export class FenceWatch {
  #open: { readonly mark: string; readonly length: number } | undefined;
  #line: Line | undefined = { indent: 0, mark: '', length: 0, rest: '' };

  /** Whether what comes next stands in a fenced block. */
  get fenced(): boolean {
    return this.#open !== undefined;
  }

  see(text: string, from: number, to: number): void {
    let at = from;
    while (at < to) {
      if (this.#line === undefined) {
        const end = text.slice(at, to).indexOf('\n'); // no further than asked: a text is seen in many small steps
        if (end === -1) return;
        at += end + 1;
        this.#line = { indent: 0, mark: '', length: 0, rest: '' };
        continue;
      }
      const character = text.charAt(at++);
      if (character === '\n') this.#endLine(this.#line);
      else if (!this.#stillFence(this.#line, character)) this.#line = undefined;
    }
  }

  /** Whether the line may still be a fence with this character. */
  #stillFence(line: Line, character: string): boolean {
    if (line.length === 0 && character === ' ') return ++line.indent <= deepestIndent;
    if (line.rest === '' && (line.length === 0 ? character === '`' || character === '~' : character === line.mark)) {
      line.mark = character;
      line.length += 1;
      return true;
    }
    if (line.length < shortestFence) return false;
    line.rest = character === ' ' || character === '\t' || character === '\r' ? line.rest || ' ' : 'words';
    // A fence is closed by nothing but marks, and what names the language of an opened one has no ` in it.
    return this.#open === undefined ? line.mark !== character || character !== '`' : line.rest !== 'words';
  }

  #endLine(line: Line): void {
    const { mark, length } = line;
    if (length >= shortestFence) {
      if (this.#open === undefined) this.#open = { mark, length };
      else if (mark === this.#open.mark && length >= this.#open.length) this.#open = undefined;
    }
    this.#line = { indent: 0, mark: '', length: 0, rest: '' };
  }
}

/** More than Markdown allows outside of lists; in lists, fences stand further in. */
const deepestIndent = 12;
const shortestFence = 3;

/** The line as far as it may be a fence. */
interface Line {
  indent: number;
  mark: string;
  length: number;
  /** What follows the marks. */
  rest: '' | ' ' | 'words';
}
