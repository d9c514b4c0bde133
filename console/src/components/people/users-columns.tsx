import type { PersonRowFragment, UserSort } from '@oracle-agent/sdk/documents';
import { A } from '@solidjs/router';
import { type JSX, Show } from 'solid-js';
import { compactNumber } from '../../state/chat/meter-words.ts';
import { type FieldTitles, ownLimits } from '../../state/own-limits.ts';
import { roleName } from '../../state/people-words.ts';
import { formatMoment, formatRelative } from '../../state/time-format.ts';
import { words } from '../../words.ts';
import { Avatar } from '../basics/avatar.tsx';
import { StatusPill } from '../basics/status-pill.tsx';
import { TimeText } from '../basics/time-text.tsx';

const said = words.people;

export interface UsersColumn {
  readonly id: keyof typeof said.columns;
  /** What the list is ordered by when its heading is pressed. */
  readonly sort?: UserSort;
  /** How wide, and from which width of the screen on it is there. */
  readonly class: string;
  readonly cell: (user: PersonRowFragment, titles: readonly FieldTitles[]) => JSX.Element;
}

/** What is known about a person at a glance; narrow screens keep what matters most. */
export const usersColumns: readonly UsersColumn[] = [
  { id: 'NAME', sort: 'NAME', class: 'min-w-0', cell: (user) => <NameCell user={user} /> },
  {
    id: 'EMAIL',
    sort: 'EMAIL',
    class: 'max-2xl:hidden',
    cell: (user) => <span class="block truncate text-muted">{user.email}</span>,
  },
  {
    id: 'ROLE',
    sort: 'ROLE',
    class: 'w-30 max-lg:hidden',
    cell: (user) => <StatusPill text={roleName(user.role)} tone={user.role === 'ADMIN' ? 'accent' : 'neutral'} />,
  },
  {
    id: 'RUNNING',
    class: 'w-24 max-sm:hidden',
    cell: ({ activity }) => (
      <Show when={activity.running > 0} fallback={<Nothing />}>
        <StatusPill text={said.runningNow(activity.running)} tone="good" />
      </Show>
    ),
  },
  { id: 'DAY', class: 'w-28 max-md:hidden', cell: ({ activity }) => <Totals of={activity.lastDay} /> },
  { id: 'WEEK', class: 'w-28 max-sm:hidden', cell: ({ activity }) => <Totals of={activity.lastWeek} /> },
  {
    id: 'SEEN',
    class: 'w-34 max-md:hidden',
    cell: ({ activity }) => (
      <span class="block truncate text-muted" title={lastRun(activity.lastRunAt)}>
        <Show when={activity.lastSeenAt} fallback={said.never}>
          {(at) => <TimeText at={at()} />}
        </Show>
      </span>
    ),
  },
  {
    id: 'LIMITS',
    class: 'w-28 max-lg:hidden',
    cell: (user, titles) => <LimitsCell limits={ownLimits(user.effectiveConfig.fields, titles)} />,
  },
  {
    id: 'CREATED_AT',
    sort: 'CREATED_AT',
    class: 'w-32 max-xl:hidden',
    cell: (user) => (
      <span class="block truncate text-muted">
        <TimeText at={user.createdAt} />
      </span>
    ),
  },
];

function NameCell(props: { readonly user: PersonRowFragment }) {
  const running = () => props.user.activity.running;
  return (
    <span class="flex min-w-0 items-center gap-2.5">
      <Avatar name={props.user.name} />
      <span class="min-w-0">
        <A
          href={`/admin/users/${props.user.id}`}
          class="block truncate text-left font-medium after:absolute after:inset-0"
          dir="auto"
        >
          {props.user.name}
        </A>
        <span class="block truncate text-sm text-muted 2xl:hidden">{props.user.email}</span>
        <Show when={running() > 0}>
          <span class="block truncate text-sm text-success sm:hidden">{said.runningNow(running())}</span>
        </Show>
      </span>
    </span>
  );
}

function Totals(props: { readonly of: { readonly runs: number; readonly tokens: number } }) {
  return (
    <Show when={props.of.runs > 0} fallback={<Nothing />}>
      <span class="block truncate" title={`${said.runs(props.of.runs)}, ${said.tokens(props.of.tokens)}`}>
        {said.runs(props.of.runs)}
        <span class="block truncate text-sm text-muted">{`${compactNumber(props.of.tokens)} ${said.tokenUnit}`}</span>
      </span>
    </Show>
  );
}

function LimitsCell(props: { readonly limits: readonly string[] }) {
  return (
    <Show when={props.limits.length > 0} fallback={<span class="text-muted">{said.standardLimits}</span>}>
      <span title={props.limits.join('\n')}>
        {said.ownLimits(props.limits.length)}
        <span class="sr-only">: {props.limits.join(', ')}</span>
      </span>
    </Show>
  );
}

function Nothing() {
  return <span class="text-muted">{said.none}</span>;
}

function lastRun(at: string | null): string {
  return at === null ? said.noRun : said.lastRun(`${formatRelative(at, new Date())} (${formatMoment(at)})`);
}
