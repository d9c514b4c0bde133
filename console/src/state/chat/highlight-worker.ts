import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { aliases, grammars } from './grammars.ts';
import type { HighlightAnswer, HighlightRequest, Piece } from './highlight.ts';

/** Grammars are big and slow to make ready: here they hold up nobody. Each is fetched when first needed. */
const theme = createCssVariablesTheme({ name: 'tokens', variablePrefix: '--code-' });
const highlighter = createHighlighterCore({ themes: [theme], langs: [], engine: createJavaScriptRegexEngine() });

addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
  void highlight(data).then((lines) => postMessage({ id: data.id, lines } satisfies HighlightAnswer));
});

async function highlight({ language, text }: HighlightRequest): Promise<HighlightAnswer['lines']> {
  try {
    const ready = await highlighter;
    const known = await load(ready, language);
    if (!known) return undefined;
    const { tokens } = ready.codeToTokens(text, { lang: known, theme: 'tokens' });
    return tokens.map((line) => joined(line.map(({ content, color }) => [content, color ?? ''] as const)));
  } catch {
    return undefined; // Plain code is fine.
  }
}

/** Neighbours of one colour are one piece; what is only space has that of its neighbour. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const kept: Piece[] = [];
  for (const [content, colour] of pieces) {
    const last = kept.at(-1);
    if (last && (last[1] === colour || content.trim() === '')) kept[kept.length - 1] = [last[0] + content, last[1]];
    else kept.push([content, colour]);
  }
  return kept;
}

async function load(ready: HighlighterCore, language: string): Promise<string | undefined> {
  const written = language.toLowerCase();
  const name = Object.hasOwn(aliases, written) ? (aliases[written] ?? written) : written;
  const grammar = Object.hasOwn(grammars, name) ? grammars[name] : undefined;
  if (!grammar) return undefined;
  if (!ready.getLoadedLanguages().includes(name)) await ready.loadLanguage(grammar());
  return name;
}
