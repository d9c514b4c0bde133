import type { Json } from '../agent/json.ts';

/** One thing that a condition may ask about: its type, how big it can get, and what it means. */
export type FactSpec =
  | { readonly type: 'int' | 'double' | 'bool'; readonly help: string }
  | { readonly type: 'string'; readonly help: string; readonly longest: number }
  /** Whatever JSON an event, a call or a rule's own state brings, as a map. */
  | { readonly type: 'json'; readonly help: string }
  | { readonly type: 'list'; readonly help: string; readonly most: number; readonly of: FactSpec }
  | { readonly type: 'object'; readonly help: string; readonly name: string; readonly fields: FactSpecs };

export type FactSpecs = Readonly<Record<string, FactSpec>>;

/** The value behind a specification, before it is dressed for CEL. */
export type Fact<Spec> = Spec extends { readonly type: 'int' | 'double' }
  ? number
  : Spec extends { readonly type: 'bool' }
    ? boolean
    : Spec extends { readonly type: 'string' }
      ? string
      : Spec extends { readonly type: 'json' }
        ? Readonly<Record<string, Json>>
        : Spec extends { readonly type: 'list'; readonly of: infer Element }
          ? readonly Fact<Element>[]
          : Spec extends { readonly type: 'object'; readonly fields: infer Fields }
            ? { readonly [Name in keyof Fields]: Fact<Fields[Name]> }
            : never;

/** How many of the newest tool calls a condition can look at one by one. */
export const mostTools = 50;

/** A question is taken up before the conversation that it belongs to is read, so that nothing waits for the database. */
const notYetRead = '0 under QUERY_START, when the conversation is not read yet: ask at TURN_START.';
const neverYet = 'Never under QUERY_START, when the conversation is not read yet: ask at TURN_START.';

const int = (help: string) => ({ type: 'int', help }) as const;
const double = (help: string) => ({ type: 'double', help }) as const;
const bool = (help: string) => ({ type: 'bool', help }) as const;
const json = (help: string) => ({ type: 'json', help }) as const;
const string = (help: string, longest = 200) => ({ type: 'string', help, longest }) as const;
const object = <const Name extends string, const Fields extends FactSpecs>(name: Name, help: string, fields: Fields) =>
  ({ type: 'object', name, help, fields }) as const;

const pastTool = object('PastTool', 'One tool call of this run.', {
  name: string('The tool.', 100),
  ok: bool('Whether it succeeded.'),
  error: string('Why it failed, or nothing.'),
  turn: int('The turn in which it was called.'),
  durationMs: int('How long it took, in milliseconds.'),
});

/** What every rule can ask about, whatever its trigger. */
export const commonFacts = {
  turn: int('The turn under way, or the last one; 0 before the first.'),
  elapsed: double('Seconds since the question was asked.'),
  question: string('The question, its first 2,000 characters.', 2_000),
  tokens: object('Tokens', 'Tokens of this run.', {
    used: int('Used so far, input and output together.'),
    input: int('Of these, what the model was given.'),
    output: int('Of these, what it wrote.'),
    budget: int('How many may be used.'),
    left: int('How many are left.'),
    share: double('Used ÷ budget: 0.5 is half.'),
  }),
  context: object('Context', "The model's window.", {
    tokens: int(`What the coming or last request takes. ${notYetRead}`),
    window: int('What the model can hold at once.'),
    share: double(`tokens ÷ window: 0.5 is half. ${notYetRead}`),
  }),
  limits: object('Limits', 'The limits in force for this run.', {
    maxIterations: int('Turns.'),
    softWarningPercent: int('Share of the turns at which the person is warned.'),
    tokenBudget: int('Tokens.'),
    tokenWarningPercent: int('Share of the tokens at which the person is warned.'),
    timeoutSeconds: int('Seconds.'),
    maxToolCallsPerTurn: int('Tool calls that are run in a turn.'),
    maxParallelTools: int('Tool calls in flight at once.'),
  }),
  history: object('History', 'What happened in this run so far.', {
    messages: int(`Messages in the conversation that the model is shown. ${notYetRead}`),
    toolCalls: int('Tool calls that were answered.'),
    failures: int('Of these, how many failed.'),
    repeats: int('Turns in a row with the same action, the first included, or with nothing new; 3 end the run.'),
    errorStreak: int('Turns in a row in which every tool call failed.'),
    tools: { type: 'list', help: `The newest ${mostTools} tool calls, oldest first.`, most: mostTools, of: pastTool },
  }),
  run: object('Run', 'This run.', {
    id: string('Its id.', 50),
    model: string('The model that answers.'),
    decisionTree: string('The decision tree.', 100),
  }),
  user: object('User', 'Whose run it is.', {
    id: string('Their id.', 50),
    role: string('USER or ADMIN.', 10),
  }),
  project: object('Project', 'The project it runs in.', {
    id: string('Its id.', 50),
    name: string('Its name.'),
  }),
  state: json('What this rule has remembered for this person in this project.'),
  event: object('Event', 'What happened just now.', {
    name: string('Such as agent.turn.start.', 100),
    severity: string('DEBUG, INFO, WARNING, ERROR or CRITICAL.', 10),
    payload: json('What it carries.'),
  }),
} as const satisfies FactSpecs;

/** Known to rules whose trigger is a tool call. */
export const toolFacts = {
  tool: object('Tool', 'The tool call that this is about.', {
    name: string('The tool.', 100),
    arguments: json('What it was called with.'),
    ok: bool('Whether it succeeded; false before it ran.'),
    result: string('What it answered, as text, its first 2,000 characters; nothing before it ran.', 2_000),
    resultTokens: int('Estimated tokens of the whole answer.'),
    error: string('Why it failed, or nothing.', 2_000),
    durationMs: int('How long it took, in milliseconds.'),
  }),
} as const satisfies FactSpecs;

/** Known to rules whose trigger is the end. */
export const endingFacts = {
  ending: object('Ending', 'How the run ended.', {
    reason: string('Such as COMPLETED or MAX_ITERATIONS.', 50),
    turns: int('Turns it took.'),
    tokens: int('Tokens it took.'),
    seconds: double('Seconds it took.'),
  }),
} as const satisfies FactSpecs;

export type CommonFacts = Fact<{ readonly type: 'object'; readonly fields: typeof commonFacts }>;
export type ToolFact = Fact<(typeof toolFacts)['tool']>;
export type EndingFact = Fact<(typeof endingFacts)['ending']>;
export type PastTool = Fact<typeof pastTool>;

/** What the rules of one trigger see, plainly. Getters make it lazy: nothing is worked out that no rule asks for. */
export type RuleFacts = Omit<CommonFacts, 'history'> & {
  readonly history: CommonFacts['history'] & ToolCounts;
  readonly tool?: ToolFact & ResultBound;
  readonly ending?: EndingFact;
};

/** How often a tool was called so far, and how often it failed. */
export interface ToolCount {
  readonly calls: number;
  readonly failures: number;
}

/** Conditions see the newest calls only, and helpers speak of the whole run. Where nobody has counted, the list is all. */
export interface ToolCounts {
  countOf?(tool: string): ToolCount;
}

/** False when the result is known to have no more tokens than that, without measuring it. */
export interface ResultBound {
  resultMayExceed?(tokens: number): boolean;
}

/** A function that conditions may call, beside those of CEL. */
export interface HelperSpec {
  /** As CEL declares it, once per form. */
  readonly signatures: readonly string[];
  readonly help: string;
}

export const helpers = {
  toolFailed: { signatures: ['toolFailed(string): bool'], help: 'Whether that tool has failed in this run.' },
  toolCalled: { signatures: ['toolCalled(string): bool'], help: 'Whether that tool was called in this run.' },
  failures: { signatures: ['failures(string): int'], help: 'How often that tool has failed in this run.' },
  calls: { signatures: ['calls(string): int'], help: 'How often that tool was called in this run.' },
  contextAbove: {
    signatures: ['contextAbove(double): bool', 'contextAbove(int): bool'],
    help: `Whether more than that share of the model's window is used: contextAbove(0.8). ${neverYet}`,
  },
  tokensAbove: {
    signatures: ['tokensAbove(double): bool', 'tokensAbove(int): bool'],
    help: 'Whether more than that share of the token budget is used: tokensAbove(0.5).',
  },
  elapsedAbove: {
    signatures: ['elapsedAbove(double): bool', 'elapsedAbove(int): bool'],
    help: 'Whether more than so many seconds have passed.',
  },
  messagesAbove: {
    signatures: ['messagesAbove(int): bool'],
    help: `Whether there are more than so many messages. ${neverYet}`,
  },
  turnAbove: { signatures: ['turnAbove(int): bool'], help: 'Whether more than so many turns have begun.' },
  stateNumber: {
    signatures: ['stateNumber(string): double'],
    help: 'A number that this rule has remembered, 0 when there is none.',
  },
  stateText: {
    signatures: ['stateText(string): string'],
    help: 'A text that this rule has remembered, empty when there is none.',
  },
  stateFlag: {
    signatures: ['stateFlag(string): bool'],
    help: 'A yes or no that this rule has remembered, no when there is none.',
  },
} as const satisfies Readonly<Record<string, HelperSpec>>;
