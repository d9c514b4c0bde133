import { RunTurnDocument } from '@oracle-agent/sdk/documents';
import X from 'lucide-solid/icons/x';
import { createMemo, For, type JSX, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { wholeText } from '../../state/chat/tool-words.ts';
import { createLoad } from '../../state/load.ts';
import type { RunDetails } from '../../state/runs/run-page.ts';
import { timeText } from '../../state/runs/run-words.ts';
import { type Bar, notRunKey, type Turn } from '../../state/runs/timeline.ts';
import { words } from '../../words.ts';
import { IconButton } from '../basics/button.tsx';
import { LongText } from '../basics/long-text.tsx';

interface TimelineDetailProps {
  readonly run: RunDetails;
  readonly turn: Turn | undefined;
  readonly bar: Bar;
  readonly onClose: () => void;
}

/** What one bar stands for: its numbers, and of a tool what it was called with and what came of it. */
export function TimelineDetail(props: TimelineDetailProps) {
  /** Which calls it stands for. */
  const callIds = () =>
    (props.turn?.calls ?? [])
      .filter(({ callId, status }) =>
        props.bar.key === notRunKey ? status === 'NOT_RUN' : `call ${callId}` === props.bar.key,
      )
      .map(({ callId }) => callId);
  const agent = () => props.turn?.agents.find((one) => `agent ${one.agent}` === props.bar.key);
  return (
    <aside
      aria-label={words.timeline.detail}
      class="flex shrink-0 flex-col gap-3 rounded-lg border border-line bg-surface p-4 xl:sticky xl:top-16 xl:w-96"
    >
      <div class="flex items-start justify-between gap-2">
        <h2 class="min-w-0 font-semibold wrap-anywhere">{props.bar.readout}</h2>
        <IconButton label={words.timeline.close} class="-mt-1 -mr-1" onClick={() => props.onClose()}>
          <X class="size-4" aria-hidden="true" />
        </IconButton>
      </div>
      <dl class="grid grid-cols-2 gap-2 text-sm">
        <Fact term={words.timeline.started}>{timeText(props.bar.startMs)}</Fact>
        <Fact term={words.timeline.took}>
          {props.bar.durationMs === undefined ? words.timeline.underWay : timeText(props.bar.durationMs)}
        </Fact>
        <Show when={props.bar.firstTokenMs}>
          {(first) => <Fact term={words.timeline.columns.firstToken}>{timeText(first())}</Fact>}
        </Show>
        <Show when={props.bar.kind === 'model' && props.turn?.tokens}>
          {(tokens) => <Fact term={words.timeline.columns.tokens}>{words.timeline.tokens(tokens())}</Fact>}
        </Show>
      </dl>
      <Show when={agent()}>
        {(one) => (
          <div class="text-sm">
            <h3 class="font-medium">{words.timeline.notes}</h3>
            <ul class="list-disc pl-4 text-muted">
              <For each={one().notes}>{(note) => <li class="wrap-anywhere">{note}</li>}</For>
            </ul>
          </div>
        )}
      </Show>
      <Show when={callIds().length > 0}>
        <CallDetails run={props.run} turn={props.turn?.turn ?? 0} callIds={callIds()} state={props.bar.state} />
      </Show>
    </aside>
  );
}

interface CallDetailsProps {
  readonly run: RunDetails;
  readonly turn: number;
  readonly callIds: readonly string[];
  /** When it is done, there is more to read. */
  readonly state: Bar['state'];
}

function CallDetails(props: CallDetailsProps) {
  const { session } = useApp();
  const wanted = createMemo(() => ({ id: props.run.id, turn: props.turn, state: props.state }));
  const load = createLoad(session.client, RunTurnDocument, () => {
    const { id, turn } = wanted();
    return { id, turn };
  });
  const calls = () => {
    const state = load.state();
    const all = state.type === 'ready' ? (state.data.run?.timeline[0]?.calls ?? []) : [];
    return all.filter(({ callId }) => props.callIds.includes(callId));
  };
  return (
    <Show
      when={calls().length > 0}
      fallback={
        <p class="text-sm text-muted" role="status">
          {load.state().type === 'failed' ? words.timeline.detailFailed : words.timeline.loadingDetail}
        </p>
      }
    >
      <For each={calls()}>
        {(call) => (
          <>
            <Text
              title={props.callIds.length > 1 ? call.name : words.tools.arguments}
              text={wholeText(call.arguments)}
            />
            <Show when={call.error}>{(error) => <Text title={words.tools.error} text={error()} failed />}</Show>
            <Show when={call.result !== null}>
              <Text title={words.tools.result} text={wholeText(call.result)} />
            </Show>
          </>
        )}
      </For>
    </Show>
  );
}

function Fact(props: { readonly term: string; readonly children: JSX.Element }) {
  return (
    <div>
      <dt class="text-muted">{props.term}</dt>
      <dd class="font-medium">{props.children}</dd>
    </div>
  );
}

function Text(props: { readonly title: string; readonly text: string; readonly failed?: boolean }) {
  return (
    <section class="text-sm" aria-label={props.title}>
      <h3 class="mb-1 font-medium" classList={{ 'text-failure': props.failed === true }}>
        {props.title}
      </h3>
      <LongText text={props.text} />
    </section>
  );
}
