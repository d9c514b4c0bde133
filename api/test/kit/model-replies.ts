/** What the scripted model server does, one step after the other. */
export type Step =
  | { readonly do: 'head'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly do: 'send'; readonly bytes: Uint8Array }
  /** Goes on when the promise is kept: a test decides when, not the clock. */
  | { readonly do: 'wait'; readonly until: Promise<unknown> }
  /** Keeps the connection open and says nothing more. */
  | { readonly do: 'hang' }
  /** Drops the connection. */
  | { readonly do: 'break' };

export type Reply = readonly Step[];

export interface ScriptedCall {
  readonly id?: string | null;
  readonly name: string;
  /** An object is written as JSON; text is sent as it is; null and undefined too. */
  readonly arguments?: unknown;
}

export interface ScriptedUsage {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly reasoning?: number;
}

export interface ReplyOptions {
  /** 'none' sends no usage at all. */
  readonly usage?: ScriptedUsage | 'none';
  /** null sends no finish reason. */
  readonly finish?: string | null;
}

const encoder = new TextEncoder();
const usualUsage: ScriptedUsage = { input: 20, output: 10 };

/** Single steps, to compose a reply with `reply.stream`. */
export const step = {
  raw: (bytes: string | Uint8Array): Step => ({
    do: 'send',
    bytes: typeof bytes === 'string' ? encoder.encode(bytes) : bytes,
  }),
  /** One event with any payload. */
  event: (payload: unknown): Step =>
    step.raw(`data: ${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n\n`),
  delta: (delta: object): Step => step.event({ choices: [{ index: 0, delta, finish_reason: null }] }),
  text: (text: string): Step => step.delta({ content: text }),
  reasoning: (text: string): Step => step.delta({ reasoning_content: text }),
  toolCall: ({ id, name, arguments: given }: ScriptedCall, index = 0): Step =>
    step.delta({
      tool_calls: [
        {
          index,
          id: id === undefined ? `call-${index + 1}` : id,
          type: 'function',
          function: { name, arguments: written(given) },
        },
      ],
    }),
  finish: (reason: string | null): Step => step.event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] }),
  usage: ({ input, output, cached = 0, reasoning = 0 }: ScriptedUsage): Step =>
    step.event({
      choices: [],
      usage: {
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: input + output,
        prompt_tokens_details: { cached_tokens: cached },
        completion_tokens_details: { reasoning_tokens: reasoning },
      },
    }),
  error: (error: { readonly code?: number | string; readonly message: string }): Step => step.event({ error }),
  done: (): Step => step.event('[DONE]'),
  wait: (until: Promise<unknown>): Step => ({ do: 'wait', until }),
  hang: (): Step => ({ do: 'hang' }),
  break: (): Step => ({ do: 'break' }),
};

/** Whole replies. */
export const reply = {
  /** An answer; a list gives one delta each. */
  text: (text: string | readonly string[], options: ReplyOptions = {}): Reply =>
    reply.stream([...[text].flat().map(step.text), ...closing('stop', options)]),
  toolCalls: (calls: readonly ScriptedCall[], options: ReplyOptions & { readonly text?: string } = {}): Reply =>
    reply.stream([
      ...(options.text === undefined ? [] : [step.text(options.text)]),
      ...calls.map((call, index) => step.toolCall(call, index)),
      ...closing('tool_calls', options),
    ]),
  /** Any steps after a 200; nothing is added. */
  stream: (steps: readonly Step[]): Reply => [
    { do: 'head', status: 200, headers: { 'content-type': 'text/event-stream' } },
    ...steps,
  ],
  /** A refusal, with a body as OpenAI sends it. */
  error: (
    status: number,
    options: { message?: string; code?: string; headers?: Record<string, string> } = {},
  ): Reply => [
    { do: 'head', status, headers: { 'content-type': 'application/json', ...options.headers } },
    step.raw(
      JSON.stringify({ error: { message: options.message ?? `Scripted ${status}.`, code: options.code ?? null } }),
    ),
  ],
  /** A body of one's own. */
  json: (body: unknown, status = 200): Reply => [
    { do: 'head', status, headers: { 'content-type': 'application/json' } },
    step.raw(JSON.stringify(body)),
  ],
  /** Takes the request and never answers it. */
  hang: (): Reply => [step.hang()],
  /** Drops the connection before any answer. */
  break: (): Reply => [step.break()],
};

/** The usual end of a reply, for those composed of single steps. */
export function closing(finish: string, options: ReplyOptions = {}): readonly Step[] {
  const reason = options.finish === undefined ? finish : options.finish;
  const usage = options.usage ?? usualUsage;
  return [
    ...(reason === null ? [] : [step.finish(reason)]),
    ...(usage === 'none' ? [] : [step.usage(usage)]),
    step.done(),
  ];
}

function written(given: unknown): unknown {
  return typeof given === 'object' && given !== null ? JSON.stringify(given) : given;
}
