const mostKept = 500;
const longestKept = 20_000;

/** Gives equal texts as one: a client's thousand subscriptions then hold their query once. */
export class KnownTexts {
  readonly #texts = new Map<string, string>();

  textOf(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (typeof text !== 'string' || text.length > longestKept) return text;
    if (this.#texts.size >= mostKept) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }
}
