import { Show } from 'solid-js';
import { highestAllowed } from '../../state/setting.ts';
import type { SettingsSet } from '../../state/settings-set.ts';
import { nextStep, stepFor } from '../../state/slider-steps.ts';
import { words } from '../../words.ts';
import { SettingSlider } from './setting-slider.tsx';

interface NumberControlProps {
  readonly set: SettingsSet;
  readonly fieldKey: string;
  /** What the two controls are called for people who do not see them side by side. */
  readonly label: string;
  readonly problemId: string;
}

/** A slider for the rough value and an input for the exact one, bound together. */
export function NumberControl(props: NumberControlProps) {
  const field = () => props.set.field(props.fieldKey);
  const standing = () => props.set.standing(props.fieldKey);
  const entry = () => String(props.set.entry(props.fieldKey) ?? '');
  const min = () => field().min ?? 0;
  const max = () => field().max ?? 100;
  const mark = () => {
    const { fallback } = standing();
    return typeof fallback === 'number' && !field().optional ? fallback : undefined;
  };
  /** The slider cannot show what is not a number; it stays at the last value that was one. */
  const sliderValue = (): number => {
    const value = props.set.inForce(props.fieldKey) ?? standing().value;
    return typeof value === 'number' ? value : min();
  };

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') return void props.set.flush();
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const next = nextStep(sliderValue(), stepFor(min(), max()), event.key === 'ArrowUp' ? 1 : -1);
    const highest = highestAllowed(field(), standing()) ?? max();
    props.set.edit(props.fieldKey, String(Math.min(Math.max(next, min()), highest)));
  }

  return (
    <div class="flex flex-wrap items-center gap-x-4 gap-y-1 sm:flex-nowrap">
      <SettingSlider
        label={props.label}
        min={min()}
        max={max()}
        unit={field().unit}
        value={sliderValue()}
        default={mark()}
        ceiling={standing().ceiling}
        unset={field().optional && entry() === ''}
        onChange={(value) => props.set.edit(props.fieldKey, String(value))}
        onRelease={() => void props.set.flush()}
      />
      <label class="flex shrink-0 items-center gap-1.5 text-sm text-muted">
        <span class="sr-only">{props.label}</span>
        <input
          type="text"
          inputmode="numeric"
          autocomplete="off"
          placeholder={field().optional ? words.settings.none : undefined}
          class="h-8 w-21 rounded-md border border-control bg-surface px-2 text-right text-base text-text placeholder:text-faint aria-invalid:border-failure aria-invalid:text-failure"
          value={entry()}
          aria-invalid={props.set.state(props.fieldKey).type === 'invalid' ? 'true' : undefined}
          aria-describedby={props.problemId}
          onInput={(event) => props.set.edit(props.fieldKey, event.currentTarget.value)}
          onBlur={() => void props.set.flush()}
          onKeyDown={onKeyDown}
        />
        <Show when={field().unit}>
          <span class="w-17 truncate">{field().unit}</span>
        </Show>
      </label>
    </div>
  );
}
