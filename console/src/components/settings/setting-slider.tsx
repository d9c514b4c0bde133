import { Slider } from '@ark-ui/solid/slider';
import { Show } from 'solid-js';
import { nextStep, snap, stepFor } from '../../state/slider-steps.ts';
import { words } from '../../words.ts';

interface SettingSliderProps {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly value: number;
  readonly unit: string;
  /** Where the mark goes; none for a field without a default. */
  readonly default: number | undefined;
  readonly ceiling: number | null;
  /** Nothing is chosen: the thumb only shows where that leads. */
  readonly unset: boolean;
  /** While the thumb or the keys move. */
  readonly onChange: (value: number) => void;
  /** When the pointer lets go, or focus leaves. */
  readonly onRelease: () => void;
}

/**
 * The machine inside works in steps of one, so that it shows every value truthfully; coarse steps on wide ranges are
 * made here, for keys and pointer alike.
 */
export function SettingSlider(props: SettingSliderProps) {
  const step = () => stepFor(props.min, props.max);
  const highest = () => Math.min(props.max, props.ceiling ?? props.max);
  const bounded = (value: number) => Math.min(Math.max(value, props.min), highest());
  const percent = (value: number) => `${((value - props.min) / (props.max - props.min)) * 100}%`;

  function onKeyDown(event: KeyboardEvent) {
    const target = keyTarget(event, props.value, step(), props.min, highest());
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (bounded(target) !== props.value) props.onChange(bounded(target));
  }

  return (
    <Slider.Root
      min={props.min}
      max={props.max}
      step={1}
      value={[Math.min(Math.max(props.value, props.min), props.max)]}
      thumbAlignment="center"
      aria-label={[props.label]}
      getAriaValueText={({ value }) => `${value} ${props.unit}`.trim()}
      onValueChange={({ value: [value = props.min] }) => {
        const snapped = bounded(snap(value, props.min, props.max));
        if (snapped !== props.value) props.onChange(snapped);
      }}
      onValueChangeEnd={() => props.onRelease()}
      on:keydown={{ handleEvent: onKeyDown, capture: true }}
      class="w-full max-sm:basis-full max-sm:px-2"
    >
      <Slider.Control class="relative flex h-6 cursor-pointer touch-none items-center select-none">
        <Slider.Track class="relative h-1 w-full rounded-full bg-track">
          <Slider.Range class={`absolute h-full rounded-full ${props.unset ? 'bg-control' : 'bg-accent'}`} />
          <Show when={props.ceiling !== null && props.ceiling < props.max}>
            <span
              class="absolute -inset-y-px right-0 rounded-r-full bg-[repeating-linear-gradient(135deg,var(--warning-line)_0_3px,var(--surface)_3px_6px)]"
              style={{ left: percent(highest()) }}
              title={words.settings.ceilingMark(highest())}
            />
            <span class="absolute -top-1.5 h-4 w-0.5 bg-warning" style={{ left: percent(highest()) }} />
          </Show>
          <Show when={props.default}>
            {(mark) => (
              <span
                class="absolute -top-1 h-3 w-0.5 -translate-x-1/2 rounded-full bg-control"
                style={{ left: percent(mark()) }}
                title={words.settings.defaultMark(mark())}
              />
            )}
          </Show>
        </Slider.Track>
        <Slider.Thumb
          index={0}
          data-unset={props.unset ? '' : undefined}
          onBlur={() => props.onRelease()}
          class="block size-4 rounded-full border-2 border-accent bg-surface data-unset:border-control shadow-sm transition-shadow hover:shadow-[0_0_0_4px_var(--accent-soft)]"
        />
      </Slider.Control>
    </Slider.Root>
  );
}

function keyTarget(event: KeyboardEvent, value: number, step: number, min: number, max: number): number | undefined {
  const stride = event.shiftKey ? step * 10 : step;
  switch (event.key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return nextStep(value, stride, 1);
    case 'ArrowLeft':
    case 'ArrowDown':
      return nextStep(value, stride, -1);
    case 'PageUp':
      return nextStep(value, step * 10, 1);
    case 'PageDown':
      return nextStep(value, step * 10, -1);
    case 'Home':
      return min;
    case 'End':
      return max;
    default:
      return undefined;
  }
}
