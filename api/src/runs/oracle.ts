import { isIdentifier } from '../access/identifier.ts';
import type { Notice } from '../agent/chunk.ts';
import type { CodeIndex } from '../code/code.ts';
import { guardedCode } from '../code/guarded-code.ts';
import type { Logger } from '../logger.ts';
import { callModel } from '../models/call-model.ts';
import type { ModelRequest } from '../models/model-port.ts';
import { estimateTokens } from '../models/token-estimate.ts';
import type { Notifications, RunNotifications } from '../notifications/notifications.ts';
import { ReleasingMap } from '../releasing-map.ts';
import type { Rules, RulesOfRun } from '../rule-book/rules.ts';
import type { SummaryCache } from '../runner/librarian/librarian-port.ts';
import type { RunPorts } from '../runner/run-context.ts';
import { type RunUnderWay, runQuery } from '../runner/run-query.ts';
import { guardedThreads } from '../threads/guarded-threads.ts';
import type { Threads } from '../threads/threads.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { ToolsFor } from '../tools/run-tools.ts';
import { guardedVault } from '../vault/guarded-vault.ts';
import type { VaultService } from '../vault/vault-service.ts';
import type { AskOutcome, Question } from './ask.ts';
import { EventLog } from './event-log.ts';
import { type GoOn, pastOf, questionToGoOn } from './go-on.ts';
import { librarianPorts } from './librarian-ports.ts';
import { PlanBases, type PlanBasis } from './plan-basis.ts';
import { type Plan, type PlanDependencies, planRun } from './plan-run.ts';
import { arrivals, beginnings } from './precedence.ts';
import type { RunWriter } from './run-log.ts';
import { RunSpans } from './run-spans.ts';
import type { CreateOutcome, StartedRun } from './run-store.ts';
import type { Runs } from './runs.ts';

export interface OracleDependencies extends PlanDependencies {
  readonly runs: Runs;
  readonly vault: VaultService;
  readonly code: CodeIndex;
  readonly threads: Threads;
  readonly toolsFor: ToolsFor;
  readonly notifications: Notifications;
  readonly rules: Rules;
  /** What the Librarian has finished for a person in a project. */
  summaries(userId: string, projectId: string): SummaryCache;
  readonly log: Logger;
  /** Freeze states, so that a stray write throws. */
  readonly development: boolean;
  readonly modelPatience: ModelPatience;
}

/** How long a silent model is waited for, within the run's own time. */
export type ModelPatience = Pick<ModelRequest, 'firstChunkTimeoutMs' | 'idleTimeoutMs'>;

const mostRunsAtOnce = 5;
/** How often a question finds the same run in its way before it gives up; each time, it waits for that run to be cancelled. */
const patienceWithBusy = 3;

/** It was planned from memory, and that has changed. */
type Outdated = Extract<CreateOutcome, { readonly type: 'outdated' }>;

/** Takes questions and sees each to its end, whether or not anybody listens. */
export class Oracle {
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #stops = new ReleasingMap<string, Pick<RunUnderWay, 'stop'>>();
  /** Questions that are being looked into, and may become runs. */
  readonly #asking = new Set<Promise<AskOutcome>>();
  #stopping = false;

  readonly #planBases: PlanBases;

  constructor(private readonly dependencies: OracleDependencies) {
    this.#planBases = new PlanBases(dependencies.settings, dependencies.vault);
  }

  ask(question: Question): Promise<AskOutcome> {
    return this.#noted(this.#ask(question));
  }

  /** Goes on with a run that something stopped, as a run of its own behind it. */
  goOn(wish: GoOn): Promise<AskOutcome> {
    const { store } = this.dependencies.runs;
    return this.#noted(
      questionToGoOn(store, wish).then((question) => ('type' in question ? question : this.#ask(question))),
    );
  }

  #noted(asked: Promise<AskOutcome>): Promise<AskOutcome> {
    const outcome = arrivals.during(asked);
    const forget = () => void this.#asking.delete(outcome);
    this.#asking.add(outcome);
    outcome.then(forget, forget);
    return outcome;
  }

  async #ask(question: Question): Promise<AskOutcome> {
    if (this.#stopping) return { type: 'stopping' };
    const known = await this.#planBases.known(question.userId);
    const outcome = known && (await this.#askFrom(known, question));
    if (outcome && outcome.type !== 'outdated') return outcome;
    const answer = await this.#askFrom(await this.#planBases.read(question.userId), question);
    if (answer.type === 'outdated') throw new Error('What was just read cannot be outdated.');
    return answer;
  }

  /** A refusal for reasons that may have changed is none yet. */
  async #askFrom(basis: PlanBasis, question: Question): Promise<AskOutcome | Outdated> {
    const plan = planRun(this.dependencies, question, basis);
    if ('type' in plan) return basis.doubted ? { type: 'outdated' } : plan;
    const projectId = await this.#project(basis, question);
    if (projectId) return this.#start(question, plan, projectId, basis);
    return basis.doubted ? { type: 'outdated' } : { type: 'not-found', what: 'project' };
  }

  /** Ends what is under way, saved and marked as interrupted. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const run of this.#stops.values()) run.stop('shutdown');
    await Promise.allSettled(this.#asking); // may have begun a run, which then ends at once
    await Promise.all(this.#underWay.values());
  }

  /** The project named, if it is the person's, or else their default one. Starting the run asks again, if in doubt. */
  async #project(basis: PlanBasis, { userId, projectId }: Question): Promise<string | undefined> {
    if (projectId === undefined) return basis.defaultProjectId;
    if (basis.doubted) return isIdentifier(projectId) ? projectId : undefined;
    const project = await this.dependencies.vault.findProject(projectId);
    return project?.userId === userId ? project.id : undefined;
  }

  async #start(
    question: Question,
    plan: Plan,
    projectId: string,
    { doubted }: PlanBasis,
  ): Promise<AskOutcome | Outdated> {
    const { runs } = this.dependencies;
    let inTheWay = { runId: '', times: 0 };
    for (;;) {
      if (this.#stopping) return { type: 'stopping' };
      const outcome = await runs.store.create({
        userId: question.userId,
        question: plan.question,
        kind: question.kind,
        conversationId: question.conversationId,
        nodeId: question.nodeId,
        // Going on with a conversation stays in its project, unless another one is named.
        projectId: isInConversation(question) ? question.projectId : projectId,
        model: plan.modelName,
        decisionTree: plan.treeName,
        config: plan.config,
        idempotencyKey: question.idempotencyKey,
        mostAtOnce: mostRunsAtOnce,
        plannedFrom: doubted,
      });
      switch (outcome.type) {
        case 'started':
          this.#run(question, plan, { ...outcome, projectId: outcome.projectId ?? projectId });
          return { type: 'running', runId: outcome.runId };
        case 'joined':
          return { type: 'running', runId: outcome.runId };
        case 'busy':
          inTheWay = { runId: outcome.runId, times: inTheWay.runId === outcome.runId ? inTheWay.times + 1 : 1 };
          if (question.whenBusy === 'REJECT' || inTheWay.times >= patienceWithBusy) return outcome;
          await runs.cancellations.request(outcome.runId);
          break;
        default:
          return outcome;
      }
    }
  }

  #run({ userId, kind }: Question, plan: Plan, started: StartedRun & { readonly projectId: string }): void {
    const { runs, log, toolsFor, notifications, rules } = this.dependencies;
    const { runId, projectId } = started;
    const writer = runs.log.open(started);
    const stopped = new AbortController();
    let run: RunUnderWay | undefined;
    const stop: RunUnderWay['stop'] = (cause) => {
      stopped.abort(cause);
      run?.stop(cause);
    };
    const work = async () => {
      const stopListening = runs.cancellations.onRequest(runId, () => stop('cancelled'));
      writer.lost.addEventListener('abort', () => stop('shutdown'));
      this.#stops.set(runId, { stop });
      if (this.#stopping) stop('shutdown');
      const listening = Promise.all([
        notifications.prepare({ userId, projectId, runId, parentId: started.parentId }),
        rules.openRun({ runId, userId, projectId }),
      ]);
      const toItsEnd = async () => {
        const prepared = Promise.all([toolsFor(userId, stopped.signal), listening]);
        await arrivals.during(prepared.then(() => beginnings.turn()));
        const [{ tools, notices }, [told, ofRules]] = await prepared;
        const request = {
          runId,
          userId,
          projectId,
          question: plan.question,
          config: plan.config,
          thinking: plan.modelSettings.thinkingEnabled,
          windowSize: this.dependencies.models.windowSize(plan.modelName),
        };
        run = runQuery(
          request,
          this.#ports(plan, { ...started, userId, projectId, kind }, writer, tools, notices, told, ofRules),
        );
        if (stopped.signal.aborted) run.stop(stopped.signal.reason);
        return run.result;
      };
      const keepWhatIsLeft = async () => {
        stopListening();
        const [told, ofRules] = await listening;
        await Promise.all([ofRules?.end(), told.keepRest()]);
      };
      try {
        const { ending } = await toItsEnd().finally(keepWhatIsLeft);
        await writer.finish(ending);
        log.info({ runId, reason: ending.reason, turns: ending.turns, durationMs: ending.durationMs }, 'run ended');
      } finally {
        const [told] = await listening;
        told.close();
      }
    };
    const ended = work()
      .catch((error: unknown) => {
        log.error({ runId, stack: String((error as Error).stack) }, 'a run was lost');
        writer.lose('it failed here'); // nobody works on it any more, so that recovery may end it
      })
      .finally(() => {
        this.#underWay.delete(runId);
        this.#stops.delete(runId);
      });
    this.#underWay.set(runId, ended);
  }

  #ports(
    plan: Plan,
    started: StartedRun & Pick<Question, 'userId' | 'kind'> & { readonly projectId: string },
    writer: RunWriter,
    tools: ToolRegistry,
    missingTools: readonly Notice[],
    told: RunNotifications,
    ofRules: RulesOfRun | undefined,
  ): RunPorts {
    const { runs, vault, threads, code, models, summaries, log, development, modelPatience } = this.dependencies;
    const { userId, projectId, kind } = started;
    const { subagentModel } = plan.modelSettings;
    const spans = new RunSpans({ ...started, model: plan.modelName, subagentModel });
    const reportFailure = (failure: unknown) => {
      const stack = failure instanceof Error ? failure.stack : String(failure);
      log.error({ runId: started.runId, stack }, 'something failed in a run');
    };
    return {
      tree: plan.tree,
      callModel: (request, hear) => callModel(plan.model, { ...modelPatience, ...request }, hear),
      tools,
      missingTools,
      openEvents: (view) =>
        told.open(view, [
          (bus) => new EventLog(writer, view.subAgent?.name).listen(bus),
          (bus) => spans.listen(bus, view),
          ...(ofRules?.listeners(view, plan) ?? []),
        ]),
      librarian: librarianPorts(models, plan.modelSettings, tools, summaries(userId, projectId), modelPatience),
      ...pastOf(runs.store, started, kind, plan.modelSettings.maxContextNodes),
      toolScope: {
        projectId,
        userId,
        runId: started.runId,
        notifySelf: (notice, callId) => told.notifySelf(notice, callId),
        vault: told.guard(guardedVault(vault, reportFailure)),
        threads: guardedThreads(threads, reportFailure),
        code: guardedCode(code, reportFailure),
      },
      emit: (body) => {
        writer.append(body);
        if (body.type === 'SourceChunk') told.cited(body);
      },
      pause: () => writer.pause(),
      recordDecision: (decision) => writer.recordDecision(decision),
      reportFailure,
      estimateTokens,
      now: () => performance.now(),
      frozen: development,
    };
  }
}

function isInConversation({ conversationId, nodeId }: Question): boolean {
  return conversationId !== undefined || nodeId !== undefined;
}
