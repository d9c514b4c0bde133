import RotateCcw from 'lucide-solid/icons/rotate-ccw';
import Undo2 from 'lucide-solid/icons/undo-2';
import { For, onCleanup, onMount, Show } from 'solid-js';
import { groupIntoCards } from '../../state/cards.ts';
import type { Owner } from '../../state/layer-badge.ts';
import { meaningOf } from '../../state/meaning.ts';
import { followPageLife } from '../../state/page-life.ts';
import type { UserSettings } from '../../state/user-settings.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { SettingRow } from './setting-row.tsx';
import { SettingsCard } from './settings-card.tsx';

interface UserSettingsFormProps {
  readonly settings: UserSettings;
  readonly owner: Owner;
}

/** A person's limits and models, the same for themselves and for an administrator. */
export function UserSettingsForm(props: UserSettingsFormProps) {
  const sets = () => [props.settings.agent, props.settings.models];
  const anySet = () => sets().some((set) => set.fields.some(({ key }) => set.standing(key).own !== null));
  const lastOfMany = () => sets().find((set) => set.lastChangeSize() > 1);

  onMount(() => onCleanup(followPageLife(sets())));

  return (
    <div class="flex flex-col gap-4">
      <div class="flex flex-wrap items-center justify-between gap-3">
        <p class="text-muted">{props.owner === 'self' ? words.settings.applies.self : words.settings.applies.other}</p>
        <div class="flex gap-2">
          <Show when={lastOfMany()}>
            {(set) => (
              <Button size="small" onClick={() => void set().undoLast()}>
                <Undo2 class="size-3.5" aria-hidden="true" /> {words.settings.undoReset}
              </Button>
            )}
          </Show>
          <Button
            size="small"
            disabled={!anySet()}
            onClick={() => sets().forEach((set) => void set.reset(set.fields.map(({ key }) => key)))}
          >
            <RotateCcw class="size-3.5" aria-hidden="true" /> {words.settings.resetAll}
          </Button>
        </div>
      </div>
      <For each={groupIntoCards(props.settings.agent.fields)}>
        {(card) => (
          <SettingsCard name={card.name} meaning={meaningOf(card.name, props.settings.agent.inForce)}>
            <For each={card.fields}>
              {(field) => <SettingRow set={props.settings.agent} fieldKey={field.key} owner={props.owner} />}
            </For>
          </SettingsCard>
        )}
      </For>
      <SettingsCard name={words.settings.models}>
        <For each={props.settings.models.fields}>
          {(field) => <SettingRow set={props.settings.models} fieldKey={field.key} owner={props.owner} />}
        </For>
      </SettingsCard>
    </div>
  );
}
