import type { AgentConfig } from '../agent/config.ts';
import { turnsToContinue } from '../agent/ending.ts';
import { checkChange } from '../agent/settings.ts';
import { leftWork, startOfRow, tellHistory } from '../conversations/telling.ts';
import type { EarlierWork } from '../runner/resume.ts';
import type { History, RunPorts } from '../runner/run-context.ts';
import { agentConfigGroup } from '../settings/setting-group.ts';
import type { AskOutcome, Question } from './ask.ts';
import type { ExchangeRecord } from './exchanges.ts';
import type { RunRecord, RunStore, StartedRun } from './run-store.ts';

/** A wish to go on with a run that something stopped. */
export interface GoOn extends Pick<Question, 'userId' | 'model' | 'config' | 'whenBusy' | 'idempotencyKey'> {
  readonly runId: string;
  readonly kind: 'CONTINUE' | 'ANSWER_NOW';
  /** How many more; only to continue. */
  readonly turns?: number | undefined;
}

const answeringTree = 'answer-now';

/** The question that goes on with the run: asked from its exchange, in its project, with its model unless told otherwise. */
export async function questionToGoOn(store: RunStore, wish: GoOn): Promise<Question | AskOutcome> {
  const run = await store.find(wish.runId);
  if (run?.userId !== wish.userId) return { type: 'not-found', what: 'run' };
  if (run.status === 'RUNNING') return { type: 'busy', runId: run.id };
  if (run.reason === 'COMPLETED') {
    return {
      type: 'refused',
      message: 'This run has completed its answer: there is nothing to go on with. Ask again.',
    };
  }
  const turns = wish.kind === 'ANSWER_NOW' ? 1 : (wish.turns ?? wish.config?.maxIterations ?? turnsToContinue);
  const config = { ...wish.config, maxIterations: turns };
  const problems = checkTurns(wish, config);
  if (problems.length > 0) {
    return { type: 'refused', message: problems.map(({ message }) => message).join(' '), problems };
  }
  const { userId, whenBusy, idempotencyKey } = wish;
  return {
    ...{ userId, whenBusy, idempotencyKey, config },
    question: run.question,
    kind: wish.kind,
    nodeId: run.nodeId,
    projectId: run.projectId ?? undefined,
    model: wish.model ?? run.model,
    decisionTree: treeFor(wish, run),
  };
}

/** What a run may look back on: what was said before, and when it goes on with a run, what that one left. */
export function pastOf(
  store: RunStore,
  { parentId }: Pick<StartedRun, 'parentId'>,
  kind: Question['kind'],
  most: number,
): Pick<RunPorts, 'loadHistory' | 'resumed'> {
  const path = async () => (parentId === null ? [] : store.exchanges.path(parentId, most));
  if (kind === undefined || kind === 'ASK') return { loadHistory: async () => historyOf(await path()) };
  let loading: ReturnType<typeof path> | undefined;
  const once = () => {
    loading ??= path();
    return loading;
  };
  return {
    async loadHistory(): Promise<History> {
      const exchanges = await once();
      return historyOf(exchanges.slice(0, startOfRow(exchanges)));
    },
    resumed: {
      resumption: kind === 'CONTINUE' ? 'continue' : 'answer-now',
      async load(): Promise<readonly EarlierWork[]> {
        const exchanges = await once();
        const row = exchanges.slice(startOfRow(exchanges));
        return Promise.all(
          row.map(async (exchange) => leftWork(exchange, (await store.exchanges.work(exchange)).toolCalls)),
        );
      },
    },
  };
}

function historyOf(path: readonly ExchangeRecord[]): History {
  return { exchanges: tellHistory(path), idleSeconds: secondsSince(path.at(-1)) };
}

/** Since it ended; unknown while it is under way. */
function secondsSince(exchange: ExchangeRecord | undefined): number | undefined {
  if (!exchange?.ending) return undefined;
  const endedAt = exchange.createdAt.getTime() + exchange.ending.durationMs;
  return Math.max(0, Math.round((Date.now() - endedAt) / 1_000));
}

/** All at once, the turns under the name that they were sent by. */
function checkTurns({ turns }: GoOn, config: Readonly<Partial<Record<keyof AgentConfig, unknown>>>) {
  const sent = Object.fromEntries(Object.entries(config).filter(([, value]) => value != null));
  return checkChange(agentConfigGroup.fields, sent).map((problem) =>
    problem.field === 'maxIterations' && turns !== undefined ? { ...problem, field: 'turns' } : problem,
  );
}

function treeFor({ kind }: GoOn, run: RunRecord): string {
  if (kind === 'ANSWER_NOW') return answeringTree;
  return run.decisionTree === answeringTree ? 'default' : run.decisionTree;
}
