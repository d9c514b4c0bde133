import { Show } from 'solid-js';
import { clockText, compactNumber } from '../../state/chat/meter-words.ts';
import type { Meter, RunMeters } from '../../state/chat/run-meters.ts';
import { words } from '../../words.ts';

/** How much of each limit is used, live. */
export function RunMetersView(props: { readonly meters: RunMeters }) {
  return (
    <fieldset aria-label={words.meters.label} class="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs">
      <MeterView kind="turn" meter={props.meters.turn} write={String} />
      <MeterView kind="tokens" meter={props.meters.tokens} write={compactNumber} />
      <MeterView kind="time" meter={props.meters.seconds} write={clockText} />
      <Show when={props.meters.context}>
        {(context) => <MeterView kind="context" meter={context()} write={compactNumber} />}
      </Show>
    </fieldset>
  );
}

interface MeterViewProps {
  readonly kind: 'turn' | 'tokens' | 'time' | 'context';
  readonly meter: Meter;
  readonly write: (value: number) => string;
}

const nearlyFull = 0.8;

function MeterView(props: MeterViewProps) {
  const share = () => Math.min(1, props.meter.used / props.meter.allowed);
  const value = () => words.meters.value(props.write(props.meter.used), props.write(props.meter.allowed));
  return (
    <div class="flex items-center gap-1.5" title={words.meters.explain[props.kind]} data-meter={props.kind}>
      <span class="text-muted">{words.meters[props.kind]}</span>
      {/* The browser's own meter takes no colours from a theme. */}
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      <div
        role="meter"
        aria-label={words.meters.explain[props.kind]}
        aria-valuemin={0}
        aria-valuemax={props.meter.allowed}
        aria-valuenow={Math.min(Math.round(props.meter.used), props.meter.allowed)}
        aria-valuetext={value()}
        class="h-1.5 w-12 overflow-hidden rounded-full bg-track sm:w-16"
      >
        <div
          class="h-full origin-left rounded-full transition-transform"
          classList={{ 'bg-accent': share() < nearlyFull, 'bg-warning': share() >= nearlyFull }}
          style={{ transform: `scaleX(${share()})` }}
        />
      </div>
      <span class="font-medium">{value()}</span>
    </div>
  );
}
