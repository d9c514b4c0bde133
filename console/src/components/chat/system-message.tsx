import CircleAlert from 'lucide-solid/icons/circle-alert';
import Info from 'lucide-solid/icons/info';
import TriangleAlert from 'lucide-solid/icons/triangle-alert';
import { Show } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import type { Part } from '../../state/chat/run-view.ts';
import { words } from '../../words.ts';

type Notice = Extract<Part, { type: 'notice' }>['chunk'];

const icons = { INFO: Info, WARNING: TriangleAlert, ERROR: CircleAlert } as const;

/** A participant of its own: it can be read, but neither answered nor edited. */
export function SystemMessage(props: { readonly notice: Notice }) {
  return (
    <div
      role="note"
      aria-label={`${words.participant.system}, ${words.severity[props.notice.severity]}`}
      data-severity={props.notice.severity}
      data-system-type={props.notice.systemType}
      class="flex gap-2.5 rounded-lg border border-warning-line bg-warning-soft px-3 py-2 text-sm data-[severity=INFO]:border-dashed data-[severity=ERROR]:border-l-4"
    >
      <Dynamic
        component={icons[props.notice.severity]}
        class="mt-0.5 size-4 shrink-0 text-warning"
        aria-hidden="true"
      />
      <p class="min-w-0 wrap-anywhere">
        <span class="font-semibold text-warning">{words.participant.system}</span>{' '}
        <span dir="auto">{props.notice.message}</span>
        <Show when={props.notice.advice}>
          {(advice) => (
            <span dir="auto" class="text-muted">
              {' '}
              {advice()}
            </span>
          )}
        </Show>
      </p>
    </div>
  );
}
