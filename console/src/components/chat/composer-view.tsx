import ArrowUp from 'lucide-solid/icons/arrow-up';
import Square from 'lucide-solid/icons/square';
import X from 'lucide-solid/icons/x';
import { createEffect, createSignal, type JSX, on, Show } from 'solid-js';
import { useChat } from '../../state/chat/chat.ts';
import { type Command, suggestCommands } from '../../state/chat/commands.ts';
import { type Composer, longestQuestion } from '../../state/chat/composer.ts';
import { words } from '../../words.ts';
import { Button, IconButton } from '../basics/button.tsx';
import { CommandList } from './command-list.tsx';

interface ComposerViewProps {
  readonly composer: Composer;
  readonly onSubmit: (text: string) => void;
  readonly options: JSX.Element;
  readonly ref: (element: HTMLTextAreaElement) => void;
}

/** Where questions are written. Enter asks, Shift-Enter starts a line, arrow-up brings back what was asked before. */
export function ComposerView(props: ComposerViewProps) {
  const chat = useChat();
  const [chosen, setChosen] = createSignal(0);
  const [folded, setFolded] = createSignal(false);
  let field: HTMLTextAreaElement | undefined;

  const text = () => props.composer.text();
  const suggestions = () => (folded() ? [] : suggestCommands(text()));
  const busy = () => chat.runningId() !== undefined || chat.pendingHere() !== undefined;
  const tooLong = () => text().length > longestQuestion;
  const sendable = () => text().trim() !== '' && !tooLong() && (!busy() || text().startsWith('/'));
  const placeholder = () => {
    if (busy()) return words.composer.placeholderRunning;
    return chat.conversation.looksBack() ? words.composer.placeholderBranch : words.composer.placeholder;
  };

  // As high as what is written, up to a third of the screen.
  createEffect(
    on(text, () => {
      if (!field) return;
      field.style.height = 'auto';
      field.style.height = `${field.scrollHeight}px`;
    }),
  );

  function submit() {
    if (sendable()) props.onSubmit(text());
  }

  function complete(command: Command) {
    setChosen(0);
    if (command.takes) props.composer.write(`/${command.name} `);
    else props.onSubmit(`/${command.name}`);
    field?.focus();
  }

  function keydown(event: KeyboardEvent) {
    if (event.isComposing) return;
    const offered = suggestions();
    if (offered.length > 0 && chooseByKey(event, offered)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      submit();
    } else if (event.key === 'ArrowUp' && (atStart() || props.composer.recalling())) {
      if (props.composer.recall(1)) event.preventDefault();
    } else if (event.key === 'ArrowDown' && props.composer.recalling()) {
      if (props.composer.recall(-1)) event.preventDefault();
    }
  }

  function chooseByKey(event: KeyboardEvent, offered: readonly Command[]): boolean {
    const command = offered[Math.min(chosen(), offered.length - 1)];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setChosen((now) => (now + (event.key === 'ArrowDown' ? 1 : offered.length - 1)) % offered.length);
    } else if ((event.key === 'Tab' && !event.shiftKey) || event.key === 'Enter') {
      if (command) complete(command);
    } else if (event.key === 'Escape') {
      setFolded(true);
      event.stopPropagation();
    } else return false;
    event.preventDefault();
    return true;
  }

  const atStart = () => field !== undefined && field.selectionStart === 0 && field.selectionEnd === 0;

  return (
    <div class="relative flex flex-col gap-2">
      <Show when={chat.refused()}>
        {(refused) => (
          <div
            role="alert"
            class="flex items-center gap-2 rounded-lg border border-failure-line bg-failure-soft px-3 py-1.5 text-sm text-failure"
          >
            <p class="min-w-0 grow wrap-anywhere">{refused().message}</p>
            <Show when={refused().replace}>
              {(replace) => (
                <Button size="small" onClick={() => replace()()}>
                  {words.composer.replace}
                </Button>
              )}
            </Show>
            <IconButton label={words.composer.dismiss} class="size-7!" onClick={chat.dismiss}>
              <X class="size-4" aria-hidden="true" />
            </IconButton>
          </div>
        )}
      </Show>
      <Show when={suggestions().length > 0}>
        <CommandList commands={suggestions()} chosen={chosen()} onChoose={complete} />
      </Show>
      <div class="rounded-xl border border-control bg-surface focus-within:border-accent-text focus-within:ring-1 focus-within:ring-accent-text">
        <textarea
          ref={(element) => {
            field = element;
            props.ref(element);
          }}
          rows={1}
          value={text()}
          aria-label={words.composer.label}
          aria-describedby="composer-hint"
          aria-autocomplete="list"
          aria-controls={suggestions().length > 0 ? 'composer-commands' : undefined}
          aria-activedescendant={
            suggestions().length > 0 ? `composer-command-${Math.min(chosen(), suggestions().length - 1)}` : undefined
          }
          aria-invalid={tooLong() ? 'true' : undefined}
          placeholder={placeholder()}
          dir="auto"
          class="block max-h-[33vh] w-full resize-none overflow-y-auto bg-transparent px-3.5 pt-3 pb-1 outline-none placeholder:text-faint"
          onInput={(event) => {
            setFolded(false);
            setChosen(0);
            props.composer.write(event.currentTarget.value);
          }}
          onKeyDown={keydown}
        />
        <div class="flex items-center gap-2 px-2 pb-2">
          <div class="flex min-w-0 grow items-center gap-2">{props.options}</div>
          <Show
            when={chat.runningId()}
            fallback={
              <button
                type="button"
                disabled={!sendable()}
                aria-label={words.composer.send}
                title={words.composer.send}
                class="inline-flex size-8 shrink-0 items-center justify-center rounded-lg bg-accent text-on-accent hover:bg-accent-hover disabled:bg-sunken disabled:text-muted"
                onClick={submit}
              >
                <ArrowUp class="size-4" aria-hidden="true" />
              </button>
            }
          >
            {(runId) => <StopButton runId={runId()} />}
          </Show>
        </div>
      </div>
      <p id="composer-hint" class="px-1 text-xs text-faint max-sm:sr-only" classList={{ 'text-failure': tooLong() }}>
        {tooLong() ? words.composer.tooLong(text().length) : words.composer.hint}
      </p>
    </div>
  );
}

function StopButton(props: { readonly runId: string }) {
  const chat = useChat();
  return (
    <Button
      variant="primary"
      class="rounded-lg!"
      title={words.composer.stopHint}
      disabled={chat.isStopping(props.runId)}
      onClick={() => void chat.stop(props.runId)}
    >
      <Square class="size-3.5 fill-current" aria-hidden="true" />
      {chat.isStopping(props.runId) ? words.composer.stopping : words.composer.stop}
    </Button>
  );
}
