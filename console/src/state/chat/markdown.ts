import DOMPurify from 'dompurify';
import { Marked, type MarkedExtension, type Token, type Tokens } from 'marked';
import remend from 'remend';
import { words } from '../../words.ts';

/** A piece of an answer that is drawn by itself, so that a growing answer redraws its last piece only. */
export type Block =
  /** Not to be trusted: `drawSafely` puts it into the page, and nothing else may. */
  | { readonly type: 'html'; readonly html: () => string }
  | { readonly type: 'code'; readonly language: string; readonly text: string; readonly open: boolean }
  /** Too long to be worth reading as Markdown. */
  | { readonly type: 'plain'; readonly text: string };

/** Longer than any paragraph a person would read; parsing and laying it out would hold up the page. */
const longestMarkdown = 30_000;

/**
 * Turns a text that only ever grows into blocks. Everything before the last block is final, as Markdown's blocks do not
 * change what came before them; finished blocks keep their identity.
 */
export function makeBlocks(kind: 'answer' | 'note' = 'answer') {
  const marked = readers[kind];
  let finished: Block[] = [];
  let offset = 0;
  let finishedText = '';

  return (text: string, growing: boolean): readonly Block[] => {
    if (!text.startsWith(finishedText)) {
      finished = [];
      offset = 0;
      finishedText = '';
    }
    const tail = text.slice(offset);
    if (tail.length > longestMarkdown * 2 && !tail.slice(0, longestMarkdown * 2).includes('\n\n')) {
      return [...finished, { type: 'plain', text: tail }];
    }
    const tokens = marked.lexer(tail);
    const last = tokens.findLastIndex(({ type }) => type !== 'space');
    for (const token of tokens.slice(0, Math.max(0, last))) {
      offset += token.raw.length;
      if (token.type !== 'space') finished.push(blockOf(marked, token, false));
    }
    const lastToken = tokens[last];
    const begun = lastToken ? begunItems(lastToken) : '';
    if (begun !== '') {
      offset += begun.length;
      finished.push(htmlOf(() => marked.parser(marked.lexer(begun))));
    }
    finishedText = text.slice(0, offset);
    if (!lastToken) return [...finished];
    const rest = begun === '' ? lastToken : (marked.lexer(text.slice(offset))[0] ?? lastToken);
    return [...finished, blockOf(marked, rest, growing)];
  };
}

/** A list this long is drawn in parts, each of whole items, so that its end can grow by itself. */
const longestList = 3_000;

/** The items of a long list that are whole because another one follows; empty for everything else. */
function begunItems(token: Token): string {
  if (token.type !== 'list' || token.raw.length < longestList) return '';
  const whole = (token as Tokens.List).items
    .slice(0, -1)
    .map(({ raw }) => raw)
    .join('');
  return token.raw.startsWith(whole) ? whole : '';
}

function blockOf(marked: Marked, token: Token, growing: boolean): Block {
  if (token.type === 'code') {
    const { lang = '', text, raw } = token as Tokens.Code;
    return {
      type: 'code',
      language: lang.split(/\s/)[0] ?? '',
      text,
      open: growing && !/\n\s*(```|~~~)\s*$/.test(raw),
    };
  }
  if (token.raw.length > longestMarkdown) return { type: 'plain', text: token.raw };
  if (!growing) return htmlOf(() => marked.parser([token]));
  // An unfinished **emphasis** or [link] is completed for the moment, so that its marks do not flash by.
  return htmlOf(() => marked.parser(marked.lexer(remend(token.raw, { linkMode: 'text-only', images: false }))));
}

/** Written when it is drawn: of what replaces it before that, nothing need be. */
function htmlOf(html: () => string): Block {
  return { type: 'html', html };
}

/** What may stay is told once: it is the same for every block, and reading it takes as long as cleaning one. */
let prepared = false;

/**
 * The one place where text becomes markup. It is read into a template, in which nothing runs or loads, cleaned there, and
 * moved as it is: what is read again after cleaning might be understood differently, and takes twice the time.
 */
export function drawSafely(element: HTMLElement, html: string): void {
  const template = document.createElement('template');
  const root = document.createElement('div');
  template.content.append(root);
  root.innerHTML = html;
  if (!prepared) DOMPurify.setConfig({ ...safe, IN_PLACE: true });
  prepared = true;
  DOMPurify.sanitize(root);
  element.replaceChildren(...root.childNodes);
}

/** The second lock: whatever the renderer lets through, nothing but these can reach the page. */
const safe = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'strong', 'em', 'del', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'h3'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'span', 'div', 'button', 'bdi'],
  ],
  ALLOWED_ATTR: [
    'class',
    'type',
    'title',
    'start',
    'dir',
    'tabindex',
    'data-address',
    'data-citation',
    'data-note',
    'aria-label',
  ],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

const opening = /^(https?:|mailto:)/i;

/** The first lock: no tag of the model's own, no image, and no link that leads anywhere by itself. */
const rules: MarkedExtension = {
  gfm: true,
  breaks: false,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    heading({ tokens, depth }) {
      // One level below the question, whatever a model begins with; the class tells them apart for the eye.
      return `<h3 dir="auto" class="md-h${Math.min(depth, 4)}">${this.parser.parseInline(tokens)}</h3>`;
    },
    paragraph({ tokens }) {
      return `<p dir="auto">${this.parser.parseInline(tokens)}</p>`;
    },
    code({ text }) {
      return `<pre tabindex="0"><code dir="ltr">${escapeHtml(text)}</code></pre>`;
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    image({ text, href }) {
      return `<span class="md-image" title="${escapeHtml(href)}">${escapeHtml(words.answer.image(text, href))}</span>`;
    },
    link({ tokens, href }) {
      const label = this.parser.parseInline(tokens);
      const address = readAddress(href);
      if (!address) return `${label} (<bdi>${escapeHtml(href)}</bdi>)`;
      return `<button type="button" class="md-link" data-address="${escapeHtml(address)}" title="${escapeHtml(address)}">${label}</button>`;
    },
    table({ header, rows }) {
      const cell = (tag: string) => (one: Tokens.TableCell) =>
        `<${tag} dir="auto" class="md-${one.align ?? 'left'}">${this.parser.parseInline(one.tokens)}</${tag}>`;
      const body = rows.map((row) => `<tr>${row.map(cell('td')).join('')}</tr>`).join('');
      return `<div class="md-table" tabindex="0"><table><thead><tr>${header.map(cell('th')).join('')}</tr></thead><tbody>${body}</tbody></table></div>`;
    },
  },
};

/** Numbers in brackets are sources of an answer. */
const citations: MarkedExtension = {
  extensions: [
    {
      name: 'citation',
      level: 'inline',
      start: (text) => text.match(/\[\d{1,3}\](?![([:])/)?.index,
      tokenizer(text) {
        const match = /^\[(\d{1,3})\](?![([:])/.exec(text);
        return match ? { type: 'citation', raw: match[0], number: match[1] } : undefined;
      },
      renderer: ({ number }) =>
        `<button type="button" class="md-citation" data-citation="${number}" aria-label="${words.sources.citation(String(number))}">${number}</button>`,
    },
  ],
};

/** Names in double brackets lead to other notes: [[decisions/caching]], or [[decisions/caching|what was decided]]. */
const wikilinks: MarkedExtension = {
  extensions: [
    {
      name: 'wikilink',
      level: 'inline',
      start: (text) => text.match(/\[\[/)?.index,
      tokenizer(text) {
        const match = /^\[\[([^[\]|\n]{1,500})(?:\|([^[\]\n]{1,500}))?\]\]/.exec(text);
        return match ? { type: 'wikilink', raw: match[0], target: match[1], label: match[2] ?? match[1] } : undefined;
      },
      renderer: ({ target, label }) =>
        `<button type="button" class="md-link" data-note="${escapeHtml(String(target).trim())}" title="${escapeHtml(String(target).trim())}">${escapeHtml(String(label).trim())}</button>`,
    },
  ],
};

const readers = { answer: new Marked(rules, citations), note: new Marked(rules, wikilinks) };

/** As a browser would read it: lookalike hosts in Punycode, invisible characters spelled out. */
function readAddress(href: string): string | undefined {
  if (!opening.test(href)) return undefined;
  return URL.canParse(href) ? new URL(href).href : undefined;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
