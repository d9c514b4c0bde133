import { grouped } from '../agent/words.ts';

export interface Output {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export interface Progress {
  advance(count?: number): void;
  /** Takes the bar away, so that the summary stands alone. */
  end(): void;
}

const barWidth = 30;
const drawEvery = 100;
const lineEvery = 1_000;

/** A bar that is drawn over itself on a terminal, and now and then a line where there is none. */
export function showProgress(output: Output, what: string, total: number): Progress {
  let done = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  const isTerminal = output.isTTY === true;

  function draw(): void {
    const share = total === 0 ? 1 : Math.min(done / total, 1);
    const filled = Math.round(share * barWidth);
    const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
    const text = `${what} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${grouped(done)} of ${grouped(total)}`;
    output.write(`\r${text.slice(0, (output.columns ?? 80) - 1)}\u001b[K`);
  }

  return {
    advance(count = 1) {
      const before = done;
      done += count;
      if (isTerminal) {
        if (performance.now() - drawnAt < drawEvery && done < total) return;
        drawnAt = performance.now();
        draw();
      } else if (Math.floor(before / lineEvery) !== Math.floor(done / lineEvery)) {
        output.write(`${what}: ${grouped(done)} of ${grouped(total)}\n`);
      }
    },
    end() {
      if (isTerminal) output.write('\r\u001b[K');
    },
  };
}
