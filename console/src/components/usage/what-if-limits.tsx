import { A } from '@solidjs/router';
import { For, Show } from 'solid-js';
import { withUnit } from '../../state/number-format.ts';
import { highestAllowed } from '../../state/setting.ts';
import { showEntry, showOwn } from '../../state/setting-words.ts';
import type { SettingsSet } from '../../state/settings-set.ts';
import { type createWhatIf, triedFields } from '../../state/usage/what-if.ts';
import { words } from '../../words.ts';
import { Button, buttonClass } from '../basics/button.tsx';
import { ConflictChoice } from '../settings/conflict-choice.tsx';
import { FieldProblem, FieldStatus } from '../settings/field-status.tsx';
import { SettingSlider } from '../settings/setting-slider.tsx';

interface WhatIfLimitsProps {
  readonly set: SettingsSet;
  readonly whatIf: ReturnType<typeof createWhatIf>;
  /** Over everyone's runs there is no one whose limits these would be. */
  readonly everyone: boolean;
}

/** The sliders of the settings, moving nothing but the question; saved only by the button, like any change. */
export function WhatIfLimits(props: WhatIfLimitsProps) {
  const text = words.whatIf;
  return (
    <section aria-label={text.limits} class="h-fit rounded-lg border border-line bg-surface p-4">
      <h2 class="mb-3 text-base font-semibold">{text.limits}</h2>
      <div class="flex flex-col gap-4">
        <For each={triedFields}>
          {(key) => {
            const field = () => props.set.field(key);
            const standing = () => props.set.standing(key);
            const state = () => props.set.state(key);
            const conflict = () => {
              const now = state();
              return now.type === 'conflict' ? { theirs: now.theirs } : undefined;
            };
            return (
              <div data-tried={key}>
                <p class="flex justify-between gap-3">
                  <span class="font-medium">{field().title}</span>
                  <span class="tabular-nums">{withUnit(props.whatIf.value(key), field().unit)}</span>
                </p>
                <SettingSlider
                  label={field().title}
                  min={field().min ?? 0}
                  max={field().max ?? 1}
                  value={props.whatIf.value(key)}
                  unit={field().unit}
                  default={Number(props.set.inForce(key))}
                  ceiling={props.everyone ? null : highestAllowed(field(), standing())}
                  unset={props.whatIf.tried()[key] === undefined}
                  onChange={(value) => props.whatIf.move(key, value)}
                  onRelease={() => undefined}
                />
                <FieldStatus title={field().title} state={state()} canUndo={false} onUndo={() => undefined} />
                <FieldProblem id={`tried-${key}`} state={state()} onRetry={() => void props.set.retry(key)} />
                <Show when={conflict()}>
                  {(both) => (
                    <ConflictChoice
                      title={field().title}
                      mine={showEntry(field(), props.set.entry(key))}
                      theirs={showOwn(field(), standing(), both().theirs)}
                      onKeepMine={() => props.set.keepMine(key)}
                      onTakeTheirs={() => props.set.takeTheirs(key)}
                    />
                  )}
                </Show>
              </div>
            );
          }}
        </For>
      </div>
      <div class="mt-4 flex flex-wrap gap-2">
        <Show
          when={!props.everyone}
          fallback={
            <A href="/admin/organisation" class={buttonClass('primary')}>
              {text.useForAll}
            </A>
          }
        >
          <Button variant="primary" disabled={!props.whatIf.moved()} onClick={() => void props.whatIf.use()}>
            {text.use}
          </Button>
        </Show>
        <Button disabled={!props.whatIf.moved()} onClick={() => props.whatIf.reset()}>
          {text.back}
        </Button>
      </div>
    </section>
  );
}
