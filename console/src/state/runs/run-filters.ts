import type { RunFilter, TerminationReason } from '@oracle-agent/sdk/documents';
import { words } from '../../words.ts';

/** What a list of runs may be narrowed by, as it stands in the address. */
export interface RunFilters {
  readonly state: readonly RunState[];
  readonly model: readonly string[];
  readonly period: Period | undefined;
  /** A person's id, or `me`; everybody without it, for administrators. */
  readonly user: string | undefined;
  readonly search: string;
}

/** Going on, or ended for a reason. */
export type RunState = 'RUNNING' | TerminationReason;
export type Period = keyof typeof words.runs.periods;

export const runStates: readonly RunState[] = [
  'RUNNING',
  'COMPLETED',
  'CANCELLED',
  'MAX_ITERATIONS',
  'TOKEN_BUDGET',
  'TIMEOUT',
  'NO_PROGRESS',
  'ERROR_LIMIT',
  'MODEL_ERROR',
  'INTERRUPTED',
];

const hour = 3_600_000;
export const periods: Readonly<Record<Period, number>> = { hour, day: 24 * hour, week: 168 * hour, month: 720 * hour };

export type FilterParams = Partial<Record<'state' | 'model' | 'period' | 'user' | 'search', string>>;

/** What an address asks for; what it cannot mean is passed over. */
export function readFilters(params: FilterParams): RunFilters {
  return {
    state: runStates.filter((state) => listOf(params.state).includes(state)),
    model: [...new Set(listOf(params.model))],
    period: params.period !== undefined && params.period in periods ? (params.period as Period) : undefined,
    user: params.user === '' ? undefined : params.user,
    search: params.search ?? '',
  };
}

/** The same filters as an address; undefined takes a part out of it. */
export function writeFilters(filters: RunFilters): Readonly<Record<keyof FilterParams, string | undefined>> {
  const text = (value: string) => (value === '' ? undefined : value);
  return {
    state: text(filters.state.join(',')),
    model: text(filters.model.join(',')),
    period: filters.period,
    user: filters.user,
    search: text(filters.search),
  };
}

/**
 * The filter as the server takes it. Running ones have no reason, so those two cannot be asked for together: asked for
 * beside reasons, running ones are left out.
 */
export function serverFilter(
  filters: RunFilters,
  viewer: { readonly id: string; readonly admin: boolean },
  now: Date,
): RunFilter {
  const reasons = filters.state.filter((state) => state !== 'RUNNING');
  const user = filters.user === 'me' ? viewer.id : filters.user;
  return {
    ...(reasons.length > 0 ? { reason: reasons } : filters.state.length > 0 ? { status: 'RUNNING' } : {}),
    ...(filters.model.length > 0 ? { model: filters.model } : {}),
    ...(filters.period ? { since: new Date(now.getTime() - periods[filters.period]).toISOString() } : {}),
    ...(filters.search.trim() === '' ? {} : { search: filters.search }),
    ...(viewer.admin ? (user === undefined ? { everyone: true } : { userId: user as RunFilter['userId'] }) : {}),
  };
}

export interface Chip {
  readonly key: string;
  readonly label: string;
  /** The filters without it. */
  readonly without: RunFilters;
}

/** One chip for each thing that narrows the list. */
export function chipsOf(filters: RunFilters, nameOf: (userId: string) => string | undefined): readonly Chip[] {
  const { state, model, period, user, search } = filters;
  const text = words.runs.chips;
  return [
    ...state.map((one) => ({
      key: `state ${one}`,
      label: text.state(words.runs.states[one]),
      without: { ...filters, state: state.filter((other) => other !== one) },
    })),
    ...model.map((one) => ({
      key: `model ${one}`,
      label: text.model(one),
      without: { ...filters, model: model.filter((other) => other !== one) },
    })),
    ...(period
      ? [{ key: 'period', label: words.runs.periods[period], without: { ...filters, period: undefined } }]
      : []),
    ...(user === undefined
      ? []
      : [
          {
            key: 'user',
            label: user === 'me' ? text.mine : text.user(nameOf(user) ?? words.runs.somebody),
            without: { ...filters, user: undefined },
          },
        ]),
    ...(search.trim() === ''
      ? []
      : [{ key: 'search', label: text.search(search), without: { ...filters, search: '' } }]),
  ];
}

export function toggleState(filters: RunFilters, state: RunState): RunFilters {
  const on = filters.state.includes(state);
  // Runs that go on have no reason, so that choosing one side lets go of the other.
  const same = filters.state.filter((one) => (one === 'RUNNING') === (state === 'RUNNING'));
  return { ...filters, state: on ? same.filter((one) => one !== state) : [...same, state] };
}

function listOf(text: string | undefined): readonly string[] {
  return (text ?? '').split(',').filter(Boolean);
}
