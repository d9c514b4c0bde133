import { A } from '@solidjs/router';
import Bell from 'lucide-solid/icons/bell';
import Flag from 'lucide-solid/icons/flag';
import { Show } from 'solid-js';
import { canCancel, fateOf, type InboxEntry, kindOf } from '../../state/inbox.ts';
import { formatRelative } from '../../state/time-format.ts';
import { words } from '../../words.ts';
import { Button, buttonClass } from '../basics/button.tsx';
import { StatusPill } from '../basics/status-pill.tsx';
import { TimeText } from '../basics/time-text.tsx';

interface InboxEntryRowProps {
  readonly entry: InboxEntry;
  readonly onAcknowledge: () => void;
  readonly onCancel: () => void;
}

export function InboxEntryRow(props: InboxEntryRowProps) {
  const isNew = () => props.entry.seenAt === null;
  const fate = () => fateOf(props.entry, (at) => formatRelative(at, new Date()));
  return (
    <li class="flex gap-3 px-4 py-3 sm:px-5" data-entry={props.entry.kind}>
      <Show
        when={props.entry.kind === 'NOTICE'}
        fallback={<Flag class="mt-0.5 size-4 shrink-0 text-muted" aria-hidden="true" />}
      >
        <Bell class="mt-0.5 size-4 shrink-0 text-muted" aria-hidden="true" />
      </Show>
      <div class="min-w-0 grow">
        <p class="flex flex-wrap items-center gap-x-2 text-sm text-muted">
          <span dir="auto" class="wrap-anywhere">
            {kindOf(props.entry)}
          </span>
          <Show when={words.inbox.priorities[props.entry.priority]}>
            {(priority) => <StatusPill tone="accent" text={priority()} />}
          </Show>
          <TimeText at={props.entry.createdAt} />
          <Show when={isNew()}>
            <StatusPill tone="accent" text={words.inbox.isNew} />
          </Show>
        </p>
        <p dir="auto" class="line-clamp-4 whitespace-pre-wrap wrap-anywhere" classList={{ 'font-medium': isNew() }}>
          {props.entry.message}
        </p>
        <p class="text-sm text-muted">{fate()}</p>
        <div class="mt-2 flex flex-wrap gap-2">
          <Show when={props.entry.run}>
            {(run) => (
              <>
                <A
                  href={`/c/${run().conversationId}?node=${run().nodeId}`}
                  class={buttonClass('secondary', 'small')}
                  onClick={() => isNew() && props.onAcknowledge()}
                >
                  {words.inbox.openRun}
                </A>
                <A href={`/runs/${run().id}`} class={buttonClass('ghost', 'small')}>
                  {words.inbox.seeRun}
                </A>
              </>
            )}
          </Show>
          <Show when={isNew()}>
            <Button size="small" variant="ghost" onClick={() => props.onAcknowledge()}>
              {words.inbox.acknowledge}
            </Button>
          </Show>
          <Show when={canCancel(props.entry)}>
            <Button size="small" variant="ghost" onClick={() => props.onCancel()}>
              {words.inbox.cancel}
            </Button>
          </Show>
        </div>
      </div>
    </li>
  );
}
