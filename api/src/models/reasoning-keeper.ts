import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { KeptReasoning } from './prompt-translation.ts';

type ReasoningPart = Extract<
  LanguageModelV4StreamPart,
  { type: 'reasoning-start' | 'reasoning-delta' | 'reasoning-end' }
>;

/** Collects reasoning whose provider marked it, by a signature for example: such blocks have to be sent back whole. */
export class ReasoningKeeper {
  readonly #blocks = new Map<string, { readonly pieces: string[]; marks: SharedV4ProviderMetadata | undefined }>();

  add(part: ReasoningPart): void {
    let block = this.#blocks.get(part.id);
    if (block === undefined) {
      block = { pieces: [], marks: undefined };
      this.#blocks.set(part.id, block);
    }
    if (part.type === 'reasoning-delta') block.pieces.push(part.delta);
    if (part.providerMetadata !== undefined) block.marks = merge(block.marks, part.providerMetadata);
  }

  blocks(): readonly KeptReasoning[] {
    return [...this.#blocks.values()].flatMap(({ pieces, marks }) =>
      marks === undefined ? [] : [{ text: pieces.join(''), marks }],
    );
  }
}

function merge(first: SharedV4ProviderMetadata = {}, second: SharedV4ProviderMetadata): SharedV4ProviderMetadata {
  const names = [...Object.keys(first), ...Object.keys(second)];
  return Object.fromEntries(names.map((name) => [name, { ...first[name], ...second[name] }]));
}
