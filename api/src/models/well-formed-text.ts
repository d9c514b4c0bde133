/**
 * Makes text that every store and every client can hold: no NUL, no half of a surrogate pair. A pair that was split
 * between two deltas is joined: its first half waits for the next delta.
 */
export class WellFormedText {
  #half = '';

  /** What may be passed on now; empty when all of it has to wait. */
  push(delta: string): string {
    if (this.#half === '' && delta.isWellFormed() && !delta.includes('\0')) return delta;
    const text = (this.#half + delta).replaceAll('\0', '');
    this.#half = endsWithHalf(text) ? text.slice(-1) : '';
    return (this.#half === '' ? text : text.slice(0, -1)).toWellFormed();
  }

  /** What was still waiting when the text ended. */
  end(): string {
    const rest = wellFormed(this.#half);
    this.#half = '';
    return rest;
  }
}

export function wellFormed(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function endsWithHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
