import { Show } from 'solid-js';
import type { LayerBadge } from '../../state/layer-badge.ts';
import type { OrganisationField } from '../../state/organisation-settings.ts';
import type { SettingsSet } from '../../state/settings-set.ts';
import { words } from '../../words.ts';
import { SettingRow } from './setting-row.tsx';

interface OrganisationRowProps {
  readonly set: SettingsSet;
  readonly item: OrganisationField;
}

/** One setting in its two roles: what people get when they choose nothing, and what nobody may exceed. */
export function OrganisationRow(props: OrganisationRowProps) {
  const isSet = (key: string) => props.set.standing(key).own !== null;
  return (
    <div class="pt-3.5 pb-2">
      <div class="px-4 sm:px-5">
        <h3 class="font-medium">{props.item.field.title}</h3>
        <p class="text-sm text-muted">{props.item.field.help}</p>
      </div>
      <SettingRow
        set={props.set}
        fieldKey={props.item.defaultKey}
        owner="organisation"
        aspect={words.settings.aspect.default}
        badge={isSet(props.item.defaultKey) ? setDefault : builtIn}
      />
      <Show when={props.item.ceilingKey}>
        {(key) => (
          <SettingRow
            set={props.set}
            fieldKey={key()}
            owner="organisation"
            aspect={words.settings.aspect.ceiling}
            badge={isSet(key()) ? setCeiling : noCeiling}
          />
        )}
      </Show>
    </div>
  );
}

const setDefault: LayerBadge = { text: words.settings.badges.organisation, tone: 'organisation' };
const builtIn: LayerBadge = { text: words.settings.badges.builtIn, tone: 'built-in' };
const setCeiling: LayerBadge = { text: words.settings.ceilingSet, tone: 'capped' };
const noCeiling: LayerBadge = { text: words.settings.noCeiling, tone: 'built-in' };
