import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { toml } from '@codemirror/legacy-modes/mode/toml';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { createEffect, onCleanup, onMount } from 'solid-js';
import type { RuleProblem } from '../../state/rules/rules-list.ts';

interface CodeEditorProps {
  readonly label: string;
  readonly value: string;
  readonly readOnly: boolean;
  readonly problems: readonly RuleProblem[];
  readonly onChange: (value: string) => void;
  /** Ctrl-S or Cmd-S within it. */
  readonly onSave: () => void;
}

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--code-token-comment)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-token-string)' },
  { tag: [tags.number, tags.bool, tags.atom], color: 'var(--code-token-constant)' },
  { tag: [tags.propertyName, tags.keyword], color: 'var(--code-token-keyword)' },
]);

const look = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent-text)', outlineOffset: '1px' },
  '.cm-content': { caretColor: 'var(--text)', fontFamily: 'ui-monospace, monospace', padding: '8px 0' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--muted)', border: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--accent-soft) !important' },
  // Its own marks are images, which the page's security policy does not load.
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--failure) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-lint-marker-error': { content: '""', borderRadius: '50%', backgroundColor: 'var(--failure)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)' },
});

/** A text with its problems underlined where they are. Tab leaves it, as in every other field. */
export default function CodeEditor(props: CodeEditorProps) {
  let place: HTMLDivElement | undefined;
  let view: EditorView | undefined;
  let shown = props.value;

  onMount(() => {
    const save = () => {
      props.onSave();
      return true;
    };
    view = new EditorView({
      ...(place ? { parent: place } : {}),
      state: EditorState.create({
        doc: shown,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          lintGutter(),
          StreamLanguage.define(toml),
          syntaxHighlighting(colours),
          look,
          EditorView.lineWrapping,
          EditorState.readOnly.of(props.readOnly),
          EditorView.contentAttributes.of({ 'aria-label': props.label }),
          keymap.of([{ key: 'Mod-s', run: save }, ...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            shown = update.state.doc.toString();
            props.onChange(shown);
          }),
        ],
      }),
    });
  });

  // Another text than what was typed: somebody else's, or the one before.
  createEffect(() => {
    if (!view || props.value === shown) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: props.value } });
  });
  createEffect(() => {
    const { problems } = props;
    if (view)
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.map((problem) => diagnosticOf(view, problem)),
        ),
      );
  });
  onCleanup(() => view?.destroy());

  return <div ref={place} class="overflow-hidden rounded-md border border-control" />;
}

function diagnosticOf(view: EditorView | undefined, { line, column, message }: RuleProblem): Diagnostic {
  const doc = view?.state.doc;
  if (!doc) return { from: 0, to: 0, severity: 'error', message };
  const at = doc.line(Math.min(Math.max(1, line), doc.lines));
  const from = Math.min(at.from + column - 1, at.to);
  const rest = /^[\w.-]+/.exec(doc.sliceString(from, at.to))?.[0].length ?? 1;
  return { from, to: Math.min(from + rest, at.to), severity: 'error', message };
}
