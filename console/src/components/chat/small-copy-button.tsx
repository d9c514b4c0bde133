import Check from 'lucide-solid/icons/check';
import Copy from 'lucide-solid/icons/copy';
import { createSignal, onCleanup, Show } from 'solid-js';
import { words } from '../../words.ts';
import { buttonClass } from '../basics/button.tsx';

interface SmallCopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** Without the word beside the icon. */
  readonly iconOnly?: boolean;
}

const shownMs = 2_000;

export function SmallCopyButton(props: SmallCopyButtonProps) {
  const [outcome, setOutcome] = createSignal<'none' | 'copied' | 'refused'>('none');
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));

  async function copy() {
    const written = await navigator.clipboard?.writeText(props.text).then(
      () => true,
      () => false,
    );
    setOutcome(written ? 'copied' : 'refused');
    clearTimeout(timer);
    timer = setTimeout(() => setOutcome('none'), shownMs);
  }

  const said = () =>
    outcome() === 'copied'
      ? words.answer.copied
      : outcome() === 'refused'
        ? words.answer.copyRefused
        : words.answer.copy;

  return (
    <button
      type="button"
      class={buttonClass('ghost', 'small')}
      aria-label={props.label}
      title={props.label}
      onClick={() => void copy()}
    >
      <Show when={outcome() === 'copied'} fallback={<Copy class="size-3.5" aria-hidden="true" />}>
        <Check class="size-3.5 text-success" aria-hidden="true" />
      </Show>
      <span role="status" classList={{ 'sr-only': props.iconOnly && outcome() === 'none' }}>
        {props.iconOnly && outcome() === 'none' ? '' : said()}
      </span>
    </button>
  );
}
