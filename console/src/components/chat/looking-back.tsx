import GitBranch from 'lucide-solid/icons/git-branch';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';

/** Says that the next question will not follow the newest answer. */
export function LookingBack(props: { readonly onNewest: () => void }) {
  return (
    <div role="status" class="flex flex-wrap items-center gap-2 rounded-lg bg-accent-soft px-3 py-1.5 text-sm">
      <GitBranch class="size-4 shrink-0 text-accent-text" aria-hidden="true" />
      <p class="min-w-0 grow">{words.conversation.lookingBack}</p>
      <Button size="small" onClick={() => props.onNewest()}>
        {words.conversation.backToNewest}
      </Button>
    </div>
  );
}
