import { Show } from 'solid-js';
import type { LoadState } from '../../state/load.ts';
import { words } from '../../words.ts';
import { Button } from './button.tsx';

interface MoreButtonProps {
  readonly pages: {
    readonly state: () => LoadState<{ readonly next: string | undefined }>;
    readonly busy: () => boolean;
    readonly more: () => void;
  };
}

/** The next page of a list, when there is one. */
export function MoreButton(props: MoreButtonProps) {
  const more = () => {
    const state = props.pages.state();
    return state.type === 'ready' && state.data.next !== undefined;
  };
  return (
    <Show when={more()}>
      <div class="p-2 text-center">
        <Button size="small" aria-disabled={props.pages.busy()} onClick={() => props.pages.more()}>
          {props.pages.busy() ? words.knowledge.loadingMore : words.knowledge.more}
        </Button>
      </div>
    </Show>
  );
}
