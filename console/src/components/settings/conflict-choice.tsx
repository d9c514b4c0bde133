import TriangleAlert from 'lucide-solid/icons/triangle-alert';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';

interface ConflictChoiceProps {
  readonly title: string;
  readonly mine: string;
  readonly theirs: string;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
}

/** Two people, one field: both values, and a choice. Nothing is saved until it is made. */
export function ConflictChoice(props: ConflictChoiceProps) {
  return (
    <div
      role="alert"
      class="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-warning-line bg-warning-soft px-3 py-2 text-sm"
    >
      <TriangleAlert class="size-4 shrink-0 text-warning" aria-hidden="true" />
      <p class="min-w-0 grow basis-60 wrap-anywhere">
        <span class="font-medium text-warning">{words.settings.conflict}</span>{' '}
        {words.settings.conflictValues(props.mine, props.theirs)}
      </p>
      <div class="flex flex-wrap gap-2">
        <Button
          size="small"
          aria-label={words.settings.keepMineOf(props.title, props.mine)}
          onClick={() => props.onKeepMine()}
        >
          {words.settings.keepMine}
        </Button>
        <Button
          size="small"
          aria-label={words.settings.takeTheirsOf(props.title, props.theirs)}
          onClick={() => props.onTakeTheirs()}
        >
          {words.settings.takeTheirs}
        </Button>
      </div>
    </div>
  );
}
