/** The smallest output cap worth asking for; some providers refuse less. */
export const smallestAnswer = 16;

export interface ComingCall {
  readonly budget: number;
  readonly used: number;
  /** Estimated size of the prompt about to be sent. */
  readonly prompt: number;
  /** The prompt before it and what the model answered to that, from which the one after is forecast; 0 at first. */
  readonly previousPrompt: number;
  readonly previousOutput: number;
}

export type Reservation =
  | { readonly fits: false; readonly needed: number; readonly left: number }
  | { readonly fits: true; readonly outputCap: number; readonly last: boolean };

/** Reserves before spending: may this call be made, how much may it write, and will another one fit after it? */
export function reserve(call: ComingCall): Reservation {
  const left = Math.max(0, call.budget - call.used);
  const needed = call.prompt + smallestAnswer;
  if (needed > left) return { fits: false, needed, left };
  return { fits: true, outputCap: left - call.prompt, last: left - costOf(call) < nextPrompt(call) + smallestAnswer };
}

function costOf(call: ComingCall): number {
  return call.prompt + call.previousOutput;
}

/** A conversation only grows, so the next prompt is at least this one, plus what the last turn added. */
function nextPrompt(call: ComingCall): number {
  const growth = call.previousPrompt === 0 ? 0 : Math.max(0, call.prompt - call.previousPrompt);
  return call.prompt + growth;
}
