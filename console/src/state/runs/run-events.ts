import { type EventSeverity, RunEventsDocument, type RunEventsQuery } from '@oracle-agent/sdk/documents';
import { useSearchParams } from '@solidjs/router';
import type { Client } from '@urql/core';
import { createEffect, createMemo, createSignal, on } from 'solid-js';
import { words } from '../../words.ts';
import { query } from '../graphql-client.ts';
import { createPages } from '../pages.ts';

export type RunEvent = NonNullable<RunEventsQuery['run']>['events']['edges'][number]['node'];
export type RunEventsState = ReturnType<typeof createRunEvents>;

/** Least severe first. */
const severities = Object.keys(words.severity) as readonly EventSeverity[];

/** What happened in a run, read on whenever the run has gone on; filters and unfolded rows are in the address. */
export function createRunEvents(client: Client, runId: () => string, version: () => number | undefined) {
  const [params, setParams] = useSearchParams<Record<'name' | 'severity' | 'open', string>>();
  // Its page is told of it again and again; only another run begins the list anew.
  const id = createMemo(runId);
  const name = createMemo(() => String(params.name ?? ''));
  const severity = createMemo(() => severities.find((one) => one === params.severity) ?? '');
  const opened = createMemo(
    () =>
      new Set(
        String(params.open ?? '')
          .split(',')
          .filter((one) => one !== ''),
      ),
  );
  const [seen, setSeen] = createSignal<readonly string[]>([]);

  const pages = createPages(
    () => ({ id: id(), name: name() || null, severity: severity() || null }),
    async (wanted, page) => {
      const answer = await query(client, RunEventsDocument, { ...wanted, ...page });
      if (answer.type === 'failed') return answer;
      const { run } = answer.data;
      return run
        ? { type: 'data', data: run.events }
        : { type: 'failed', message: words.run.missing, forbidden: false };
    },
  );
  createEffect(on(version, () => void pages.refresh(), { defer: true }));
  createEffect(
    on(pages.state, (state) => {
      if (state.type !== 'ready') return;
      const names = new Set([...seen(), ...state.data.list.map((event) => event.name)]);
      if (names.size > seen().length) setSeen([...names].toSorted());
    }),
  );

  return {
    pages,
    name,
    severity,
    names: createMemo(() => nameOptions(name(), seen())),
    severities: severityOptions,
    filter(next: { readonly name?: string; readonly severity?: string }) {
      setParams({ ...next, open: undefined });
    },
    isOpen: (number: number) => opened().has(String(number)),
    toggle(number: number) {
      const next = new Set(opened());
      if (!next.delete(String(number))) next.add(String(number));
      setParams({ open: [...next].join(',') }, { replace: true });
    },
  };
}

interface Option {
  readonly value: string;
  readonly label: string;
}

const everything: Option = { value: '', label: words.events.everything };
const kinds: readonly Option[] = Object.entries(words.events.kinds).map(([value, title]) => ({
  value,
  label: words.events.kind(title, value),
}));

/** All, every kind, and each name that was seen; one that only the address knows is among them. */
export function nameOptions(chosen: string, seen: readonly string[]): readonly Option[] {
  const known = [everything, ...kinds, ...seen.map((name) => ({ value: name, label: name }))];
  return known.some(({ value }) => value === chosen) ? known : [...known, { value: chosen, label: chosen }];
}

/** Everything is at least the least severe. */
const severityOptions: readonly { readonly value: EventSeverity | ''; readonly label: string }[] = [
  { value: '', label: words.events.everySeverity },
  ...severities.slice(1, -1).map((one) => ({ value: one, label: words.events.orMore(words.severity[one]) })),
  ...severities.slice(-1).map((one) => ({ value: one, label: words.severity[one] })),
];
