import { advance, type TightenableLimit } from '../agent/advance.ts';
import { timeWarning } from '../agent/warnings.ts';
import { LateTimer } from './late-timer.ts';
import type { RunContext, StopCause } from './run-context.ts';
import { tell } from './telling.ts';

const timeWarningShare = 0.8;
/** Timers count whole milliseconds and may fire that much early. */
const timerSlack = 2;

/** Noted at once: being cancelled goes before whatever stopped the run a moment earlier. */
export function stop(run: RunContext, cause: StopCause): void {
  if (cause === 'cancelled') run.state = advance(run.state, { type: 'cancelled' });
  run.stop.abort(cause);
}

/** The deadline stops the run; a while before it, the person is told, even in the middle of a turn. */
export function watchTime(run: RunContext): void {
  unwatchTime(run);
  const left = run.deadline - run.ports.now();
  const total = run.deadline - run.state.startTime;
  const untilWarning = left - total * (1 - timeWarningShare);
  run.timers = [
    new LateTimer(Math.max(0, left), () => stop(run, 'timeout')),
    new LateTimer(Math.max(0, untilWarning) + timerSlack, () => warnOfTime(run)),
  ];
}

export function unwatchTime(run: RunContext): void {
  for (const timer of run.timers) timer.cancel();
}

/** Allows the run less from now on; what it was before and is now, or nothing when it was that tight already. */
export function tighten(
  run: RunContext,
  field: TightenableLimit,
  to: number,
): { readonly from: number; readonly to: number } | undefined {
  const from = run.state.config[field];
  run.state = advance(run.state, { type: 'limit-tightened', field, to });
  const now = run.state.config[field];
  if (now === from) return undefined;
  if (field === 'timeoutSeconds') {
    run.deadline = run.state.startTime + now * 1_000;
    watchTime(run);
  }
  return { from, to: now };
}

function warnOfTime(run: RunContext): void {
  run.state = advance(run.state, { type: 'clock-read', now: run.ports.now() });
  const due = run.state.warned.includes('time') ? undefined : timeWarning(run.state);
  if (!due) return;
  run.state = advance(run.state, { type: 'notice-attached', notice: due.notice, warning: 'time' });
  tell(run, due.notice, due.hint);
}
