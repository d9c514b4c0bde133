import TriangleAlert from 'lucide-solid/icons/triangle-alert';
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
        <span class="font-medium text-warning">Changed elsewhere while you were editing.</span> Yours is{' '}
        <strong>{props.mine}</strong>, theirs is <strong>{props.theirs}</strong>.
      </p>
      <div class="flex flex-wrap gap-2">
        <Button
          size="small"
          aria-label={`Keep mine for ${props.title}: ${props.mine}`}
          onClick={() => props.onKeepMine()}
        >
          Keep mine
        </Button>
        <Button
          size="small"
          aria-label={`Take theirs for ${props.title}: ${props.theirs}`}
          onClick={() => props.onTakeTheirs()}
        >
          Take theirs
        </Button>
      </div>
    </div>
  );
}
