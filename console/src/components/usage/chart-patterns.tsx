import { For } from 'solid-js';
import type { Pattern, Tone } from '../../state/usage/usage-charts.ts';

const tones: readonly Tone[] = ['success', 'warning', 'failure', 'accent', 'control'];
const patterns: readonly Exclude<Pattern, 'solid'>[] = ['diagonal', 'dots', 'horizontal'];

export function fillOf(tone: Tone, pattern: Pattern): string {
  return pattern === 'solid' ? `var(--${tone})` : `url(#usage-${tone}-${pattern})`;
}

/** Once for a page: what the charts and their legends are filled with. Colour never stands alone. */
export function ChartPatterns() {
  return (
    <svg width="0" height="0" class="absolute" aria-hidden="true">
      <defs>
        <For each={tones}>
          {(tone) => (
            <For each={patterns}>
              {(pattern) => (
                <pattern id={`usage-${tone}-${pattern}`} width="6" height="6" patternUnits="userSpaceOnUse">
                  <rect width="6" height="6" style={{ fill: `var(--${tone})` }} />
                  <Marks pattern={pattern} />
                </pattern>
              )}
            </For>
          )}
        </For>
      </defs>
    </svg>
  );
}

function Marks(props: { readonly pattern: Pattern }) {
  const drawn = {
    diagonal: 'M-1 1L1 -1M0 6L6 0M5 7L7 5',
    horizontal: 'M0 3H6',
    dots: 'M2 3a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
    solid: '',
  };
  return <path d={drawn[props.pattern]} style={{ stroke: 'var(--surface)', 'stroke-width': '1.6', fill: 'none' }} />;
}

interface SwatchProps {
  readonly tone: Tone;
  readonly pattern: Pattern;
  readonly line: boolean;
}

/** The sign of a series in a legend: filled as its bars are, or drawn as its line is. */
export function Swatch(props: SwatchProps) {
  return (
    <svg width="16" height="12" aria-hidden="true" class="shrink-0">
      {props.line ? (
        <path
          d="M0 6H16"
          style={{
            stroke: `var(--${props.tone})`,
            'stroke-width': '2.5',
            'stroke-dasharray': props.pattern === 'solid' ? 'none' : '4 3',
          }}
        />
      ) : (
        <rect width="16" height="12" rx="2" style={{ fill: fillOf(props.tone, props.pattern) }} />
      )}
    </svg>
  );
}
