import X from 'lucide-solid/icons/x';
import type { JSX } from 'solid-js';
import { IconButton } from './button.tsx';

interface BulkBarProps {
  readonly label: string;
  readonly summary: string;
  readonly clearLabel: string;
  readonly onClear: () => void;
  readonly children: JSX.Element;
}

/** What can be done with the rows that are selected; stays in sight while the list scrolls under it. */
export function BulkBar(props: BulkBarProps) {
  return (
    <section
      aria-label={props.label}
      class="sticky bottom-18 z-20 mt-3 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-raised py-2 pr-2 pl-4 shadow-raised sm:bottom-4"
    >
      <span role="status" class="mr-auto font-medium">
        {props.summary}
      </span>
      {props.children}
      <IconButton label={props.clearLabel} onClick={() => props.onClear()}>
        <X class="size-4" aria-hidden="true" />
      </IconButton>
    </section>
  );
}
