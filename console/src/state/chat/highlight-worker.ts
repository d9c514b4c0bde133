import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { aliases, grammars } from './grammars.ts';
import type { HighlightAnswer, HighlightRequest } from './highlight.ts';

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
    return tokens.map((line) => line.map(({ content, color }) => [content, color ?? ''] as const));
  } catch {
    return undefined; // Plain code is fine.
  }
}

async function load(ready: HighlighterCore, language: string): Promise<string | undefined> {
  const written = language.toLowerCase();
  const name = Object.hasOwn(aliases, written) ? (aliases[written] ?? written) : written;
  const grammar = Object.hasOwn(grammars, name) ? grammars[name] : undefined;
  if (!grammar) return undefined;
  if (!ready.getLoadedLanguages().includes(name)) await ready.loadLanguage(grammar());
  return name;
}
