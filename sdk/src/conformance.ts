/** Checks whether a server keeps the rules of the stream, with the `simulated/` models. */
import { createOracleClient } from './client.ts';
import { readRun } from './conformance-reading.ts';
import { cancelRules, resumeRules, streamRules } from './conformance-rules.ts';

/** One rule, and what was found. */
export interface Finding {
  readonly rule: string;
  /** The simulation that it was tried with. */
  readonly model: string;
  /** What breaks the rule; undefined when it is kept. */
  readonly problem: string | undefined;
}

/** What to check. */
export interface ConformanceOptions {
  readonly url: string;
  readonly token: string;
  readonly models?: readonly string[];
  readonly onFinding?: (finding: Finding) => void;
}

const usualModels = ['simulated/answer', 'simulated/think', 'simulated/fan-out', 'simulated/loop', 'simulated/errors'];
const usage = `oracle-conformance URL TOKEN [--json] [--models=simulated/answer,simulated/think]

Asks the simulated/ models of a server and checks the rules of the stream: seq without gaps, one DoneChunk and it comes
last, the order of tool chunks, replay equals live, resume at every seq, cancel. Over WebSocket and server-sent events.
Exit code 0 when all rules hold, 1 when one does not, 2 when the server could not be asked.`;

/** Every rule with every simulation, over both transports. */
export async function checkConformance(options: ConformanceOptions): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const { url, token, models = usualModels } = options;
  for (const transport of ['ws', 'sse'] as const) {
    if (transport === 'ws' && !globalThis.WebSocket) continue;
    const oracle = createOracleClient({ url, token, transport });
    const note = (model: string, found: Readonly<Record<string, string | undefined>>) => {
      for (const [rule, problem] of Object.entries(found)) {
        const finding = { rule, model: `${model} over ${transport}`, problem };
        findings.push(finding);
        options.onFinding?.(finding);
      }
    };
    try {
      for (const model of models) {
        const live = await readRun(oracle, { question: 'What did we decide about caching?', model });
        note(model, { ...streamRules(live), ...(await resumeRules(oracle, live)) });
      }
      note('simulated/slow', await cancelRules(oracle));
    } finally {
      oracle.close();
    }
  }
  return findings;
}

/** The command: prints a line for each rule, and answers with the exit code. */
export async function main(args: readonly string[], print: (line: string) => void): Promise<number> {
  const [url, token] = args.filter((one) => !one.startsWith('--'));
  if (args.includes('--help') || !url || !token) {
    print(usage);
    return args.includes('--help') ? 0 : 2;
  }
  const json = args.includes('--json');
  const models = args
    .find((one) => one.startsWith('--models='))
    ?.slice('--models='.length)
    .split(',');
  const show = ({ rule, model, problem }: Finding) =>
    print(`${problem === undefined ? '✓' : '✗'} ${rule} (${model})${problem === undefined ? '' : `: ${problem}`}`);
  try {
    const findings = await checkConformance({
      url,
      token,
      ...(models && { models }),
      ...(!json && { onFinding: show }),
    });
    const broken = findings.filter(({ problem }) => problem !== undefined).length;
    print(json ? JSON.stringify(findings, null, 2) : `${findings.length - broken} kept, ${broken} broken`);
    return broken === 0 ? 0 : 1;
  } catch (failure) {
    print(`The server could not be asked: ${failure instanceof Error ? failure.message : String(failure)}`);
    return 2;
  }
}
