import CircleAlert from 'lucide-solid/icons/circle-alert';
import Inbox from 'lucide-solid/icons/inbox';
import type { JSX } from 'solid-js';
import { words } from '../../words.ts';
import { Button } from './button.tsx';

/** Something could not be loaded, and the button that tries again. */
export function FailedNotice(props: { readonly message: string; readonly onRetry: () => void }) {
  return (
    <div
      role="alert"
      class="flex flex-col items-center gap-3 rounded-lg border border-line bg-surface px-6 py-12 text-center"
    >
      <CircleAlert class="size-6 text-failure" aria-hidden="true" />
      <p class="max-w-md text-muted">
        <span class="font-medium text-text">{words.frame.notLoaded}</span> {props.message}
      </p>
      <Button onClick={() => props.onRetry()}>{words.frame.retry}</Button>
    </div>
  );
}

interface EmptyNoticeProps {
  readonly title: string;
  readonly text: string;
  /** The one thing that would fill the emptiness. */
  readonly action?: JSX.Element;
}

export function EmptyNotice(props: EmptyNoticeProps) {
  return (
    <div class="flex flex-col items-center gap-2 px-6 py-12 text-center">
      <Inbox class="size-6 text-faint" aria-hidden="true" />
      <p class="font-medium">{props.title}</p>
      <p class="max-w-md text-muted">{props.text}</p>
      <div class="mt-2">{props.action}</div>
    </div>
  );
}
