import { counted, grouped } from '../agent/words.ts';
import type { ModelMessage, ToolResultMessage } from '../models/model-port.ts';
import { measure } from './message-size.ts';
import type { RunContext } from './run-context.ts';

/** One earlier exchange, as it would be sent. */
export interface SizedExchange {
  readonly messages: readonly { readonly message: ModelMessage; readonly size: number }[];
  readonly size: number;
}

/** Kept free for what the model answers: a quarter of a small window. */
const answerRoom = 8_000;
/** Once something has to go, so much goes that the next turns have room as well. */
const roomMade = 0.75;
/** Earlier exchanges may not take what the question needs: the run pays for them again on every turn. */
const shareOfBudget = 0.5;
/** What stays of an old result. */
const keptCharacters = 160;
const gone = '[The rest was left out for lack of room. Call the tool again if you need it.]';

/** How much of the window a prompt may fill. */
export function usableWindow(windowSize: number): number {
  return windowSize - Math.min(answerRoom, Math.ceil(windowSize / 4));
}

/** The newest exchanges that fit beside a prompt of `fixed` tokens. What is left out is said to the person and the model. */
export function newestThatFit(
  run: RunContext,
  past: readonly SizedExchange[],
  fixed: number,
): readonly SizedExchange[] {
  const window = usableWindow(run.request.windowSize);
  const budget = Math.floor(run.state.config.tokenBudget * shareOfBudget);
  const room = Math.min(window, budget) - fixed;
  let first = past.length;
  for (let size = 0; first > 0; first -= 1) {
    size += past[first - 1]?.size ?? 0;
    if (size > room) break;
  }
  if (first > 0) {
    const all = past.reduce((sum, { size }) => sum + size, fixed);
    const why =
      window <= budget
        ? `${grouped(all)} tokens would not fit the model's window of ${grouped(run.request.windowSize)}`
        : `${grouped(all)} tokens would take too much of the budget of ${grouped(run.state.config.tokenBudget)}`;
    const hint = `${exchanges(first)} left out here for lack of room.`;
    tellLeftOut(run, `${exchanges(first)} left out: ${why}.`, all, window <= budget, hint);
  }
  return past.slice(first);
}

/**
 * Before a request is sent: when what was said and found has outgrown the window, the oldest of it makes room. First go
 * earlier exchanges, then what is in the results of earlier calls, and the newest results only as far as they must. A
 * call goes only together with its answer, so that what is sent stays valid.
 */
export function makeRoom(run: RunContext): void {
  const usable = usableWindow(run.request.windowSize);
  const before = run.promptTokens;
  if (before <= usable) return;
  const wanted = usable * roomMade;
  const dropped = dropExchanges(run, wanted);
  const results = run.messages.flatMap((message, place) => (message.role === 'tool' ? [place] : []));
  const newest = results.pop();
  let shortened = 0;
  for (const place of results) {
    if (run.promptTokens <= wanted) break;
    shortened += shorten(run, place, keptCharacters);
  }
  if (newest !== undefined && run.promptTokens > usable) shortened += shortenToFit(run, newest, usable);
  dropTurns(run, usable);
  const left = [
    ...(dropped > 0 ? [`${exchanges(dropped)} left out`] : []),
    ...(shortened > 0 ? [`${counted(shortened, 'tool result')} ${shortened === 1 ? 'was' : 'were'} shortened`] : []),
  ];
  if (left.length === 0) return;
  const why = `${grouped(before)} tokens would not fit the model's window of ${grouped(run.request.windowSize)}`;
  tellLeftOut(run, `${left.join(' and ')}: ${why}.`, before, true);
}

function dropExchanges(run: RunContext, wanted: number): number {
  let dropped = 0;
  let size = 0;
  const share = scale(run);
  while (dropped < run.pastExchanges && run.promptTokens - size * share > wanted) {
    size += (run.sizes[1 + 2 * dropped] ?? 0) + (run.sizes[2 + 2 * dropped] ?? 0);
    dropped += 1;
  }
  run.messages.splice(1, 2 * dropped);
  run.sizes.splice(1, 2 * dropped);
  run.pastExchanges -= dropped;
  run.promptTokens -= Math.floor(size * share);
  return dropped;
}

/** A small window with many calls: even their beginnings are too much. The newest turn stays. */
function dropTurns(run: RunContext, usable: number): void {
  while (run.promptTokens > usable) {
    const place = run.messages.findIndex((message) => message.role === 'tool');
    if (place < 1 || place >= run.messages.length - 2 || run.messages[place - 1]?.role !== 'assistant') return;
    const share = scale(run);
    const [call = 0, answer = 0] = run.sizes.splice(place - 1, 2);
    run.messages.splice(place - 1, 2);
    run.promptTokens -= Math.floor((call + answer) * share);
  }
}

/** Our estimates and what the provider counted differ; what goes is taken off in the provider's measure. */
function scale(run: RunContext): number {
  const estimated = run.sizes.reduce((sum, size) => sum + size, run.toolTokens);
  return Math.min(1, run.promptTokens / Math.max(1, estimated));
}

function shortenToFit(run: RunContext, place: number, usable: number): number {
  const message = run.messages[place];
  if (message?.role !== 'tool') return 0;
  const size = (run.sizes[place] ?? 0) * scale(run);
  const share = Math.max(0, size - (run.promptTokens - usable)) / Math.max(1, size);
  const characters = message.results.reduce((sum, { text }) => sum + text.length, 0);
  // Less than would just fit: tokens are not spread evenly over a text, and each is told that something is missing.
  const each = (characters * share * 0.8) / message.results.length - gone.length;
  return shorten(run, place, Math.max(0, Math.floor(each)));
}

/** Returns how many results became shorter. The message is replaced, never changed. */
function shorten(run: RunContext, place: number, characters: number): number {
  const message = run.messages[place];
  if (message?.role !== 'tool') return 0;
  const share = scale(run);
  const results = message.results.map((result) => shorter(result, characters));
  const count = results.filter((result, index) => result !== message.results[index]).length;
  if (count === 0) return 0;
  const before = run.sizes[place] ?? 0;
  const shortened: ModelMessage = { role: 'tool', results };
  const after = measure(run, shortened);
  run.messages[place] = shortened;
  run.sizes[place] = after;
  run.promptTokens -= Math.floor(Math.max(0, before - after) * share);
  return count;
}

function shorter(result: ToolResultMessage, characters: number): ToolResultMessage {
  if (result.text.length <= characters + gone.length + 1) return result;
  return { ...result, text: `${result.text.slice(0, characters).toWellFormed()} ${gone}` };
}

function exchanges(count: number): string {
  return count === 1 ? '1 earlier exchange was' : `${grouped(count)} earlier exchanges were`;
}

function tellLeftOut(run: RunContext, message: string, tokens: number, byWindow: boolean, hint?: string): void {
  run.events.emit('context.reduced', {
    systemType: 'NOTIFICATION',
    severity: 'INFO',
    message,
    limitType: byWindow ? 'CONTEXT' : 'TOKENS',
    currentValue: Math.round(tokens),
    limitValue: byWindow ? run.request.windowSize : run.state.config.tokenBudget,
    advice: 'Everything is still saved; the model only does not see it. A new conversation starts with all the room.',
    ...(hint === undefined ? {} : { hint }),
  });
}
