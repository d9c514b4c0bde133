import Check from 'lucide-solid/icons/check';
import Copy from 'lucide-solid/icons/copy';
import { createSignal, Match, Switch } from 'solid-js';
import { words } from '../../words.ts';
import { Button } from './button.tsx';

/** Copies a text; where the browser forbids it, says so instead of pretending. */
export function CopyButton(props: { readonly text: string }) {
  const [outcome, setOutcome] = createSignal<'none' | 'copied' | 'refused'>('none');

  async function copy() {
    const written = navigator.clipboard?.writeText(props.text).then(
      () => true,
      () => false,
    );
    setOutcome((await written) ? 'copied' : 'refused');
  }

  return (
    <Button variant="primary" onClick={() => void copy()} aria-live="polite">
      <Switch
        fallback={
          <>
            <Copy class="size-4" aria-hidden="true" /> {words.frame.copy}
          </>
        }
      >
        <Match when={outcome() === 'copied'}>
          <Check class="size-4" aria-hidden="true" /> {words.frame.copied}
        </Match>
        <Match when={outcome() === 'refused'}>{words.frame.copyRefused}</Match>
      </Switch>
    </Button>
  );
}
