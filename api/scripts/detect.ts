/** Runs the no-progress detector over recorded runs, one JSON object per line. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { detectStall, type Trace, TraceSchema, turnsOf } from '../src/agent/trace.ts';
import { type Judged, reportText, shapeOf } from '../src/agent/trace-report.ts';

/** Running a command again after something changed is normal work: what a shell tool would declare of itself. */
const shells = ['bash', 'sh', 'shell', 'terminal', 'python', 'python3'];

const help = `Usage: npm run -s detect -- FILE [--summary] [--repeatable NAME]... [--literal]

Reads lines {"id"?, "label"?, "calls": [{"turn", "name", "args", "result_hash", "is_error"}]} and prints for each
  {"id", "stopped", "turn", "reason"}
where "stopped" says whether the run would have ended NO_PROGRESS, and "turn" after which turn. Other endings, such as
ERROR_LIMIT, are not counted. Without an "id" the line's number stands for it.

  --summary          print accuracy, false alarms and recall instead, in all and per loop shape; needs the labels
                     "stuck" or "progress"
  --repeatable NAME  treat this tool as one that declares itself repeatable; may be given several times; without it,
                     tools that run commands are: ${shells.join(', ')}
  --literal          treat no tool as repeatable
  --help             print this

Lines that cannot be read are reported on stderr and skipped; the exit code is then 1.`;

interface Options {
  readonly summary: boolean;
  readonly repeatable: ReadonlySet<string>;
}

let failed = false;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      summary: { type: 'boolean', default: false },
      repeatable: { type: 'string', multiple: true, default: shells },
      literal: { type: 'boolean', default: false },
    },
  });
  const [file] = positionals;
  if (values.help) console.log(help);
  else if (file === undefined || positionals.length > 1) complain(`One file is needed.\n\n${help}`);
  else
    await detectFile(file, { summary: values.summary, repeatable: new Set(values.literal ? [] : values.repeatable) });
}

async function detectFile(file: string, { summary, repeatable }: Options): Promise<void> {
  const judged: Judged[] = [];
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    const trace = line.trim() === '' ? undefined : readTrace(line, number);
    if (trace === undefined) continue;
    const turns = turnsOf(trace, repeatable);
    const verdict = detectStall(turns);
    if (!summary) console.log(JSON.stringify({ id: trace.id ?? number, ...verdict }));
    else if (trace.label === undefined) complain(`Line ${number}: a summary needs a label.`);
    else judged.push({ stuck: trace.label === 'stuck', stopped: verdict.stopped, shape: shapeOf(turns) });
  }
  if (summary) console.log(reportText(judged));
}

function readTrace(line: string, number: number): Trace | undefined {
  try {
    const parsed = TraceSchema.safeParse(JSON.parse(line.replace(/^\uFEFF/, '')));
    if (parsed.success) return parsed.data;
    complain(`Line ${number}: ${z.prettifyError(parsed.error)}`);
  } catch {
    complain(`Line ${number}: not JSON.`);
  }
  return undefined;
}

function complain(message: string): void {
  console.error(message);
  failed = true;
}

// A reader such as `head` may leave early, which is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await main();
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
}
if (failed) process.exitCode = 1;
