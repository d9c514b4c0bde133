import { Show } from 'solid-js';
import type { LayerBadge } from '../../state/layer-badge.ts';
import type { OrganisationField } from '../../state/organisation-settings.ts';
import type { SettingsSet } from '../../state/settings-set.ts';
import { SettingRow } from './setting-row.tsx';

interface OrganisationRowProps {
  readonly set: SettingsSet;
  readonly item: OrganisationField;
}

/** One setting in its two roles: what people get when they choose nothing, and what nobody may exceed. */
export function OrganisationRow(props: OrganisationRowProps) {
  const defaultBadge = (): LayerBadge =>
    props.set.standing(props.item.defaultKey).own === null
      ? { text: 'built-in', tone: 'inherited' }
      : { text: 'set', tone: 'own' };

  return (
    <div>
      <SettingRow
        set={props.set}
        fieldKey={props.item.defaultKey}
        owner="organisation"
        title={`${props.item.field.title}: default`}
        badge={defaultBadge()}
      />
      <Show when={props.item.ceilingKey}>
        {(key) => (
          <SettingRow
            set={props.set}
            fieldKey={key()}
            owner="organisation"
            title={`${props.item.field.title}: ceiling`}
            help="Nobody may go higher. Holds at once, for everyone."
            badge={
              props.set.standing(key()).own === null
                ? { text: 'no ceiling', tone: 'inherited' }
                : { text: 'ceiling', tone: 'capped' }
            }
          />
        )}
      </Show>
    </div>
  );
}
