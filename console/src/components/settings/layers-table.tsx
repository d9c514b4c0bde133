import { For } from 'solid-js';
import { layerName } from '../../state/change-words.ts';
import type { SettingField } from '../../state/setting.ts';
import { showValue } from '../../state/setting-words.ts';
import type { SettingsSet } from '../../state/settings-set.ts';
import type { UserSettings } from '../../state/user-settings.ts';
import { words } from '../../words.ts';

/** Every layer of every setting side by side: why a value is what it is. */
export function LayersTable(props: { readonly settings: UserSettings }) {
  return (
    <section
      class="overflow-x-auto rounded-lg border border-line bg-surface"
      tabindex="0"
      aria-label={words.settings.layers}
    >
      <table class="w-full min-w-xl text-sm">
        <thead>
          <tr class="border-b border-line text-left text-muted">
            <th scope="col" class="px-4 py-2 font-medium sm:px-5">
              {words.settings.setting}
            </th>
            <For each={words.settings.columns}>
              {(column) => (
                <th scope="col" class="px-3 py-2 text-right font-medium whitespace-nowrap last:pr-5">
                  {column}
                </th>
              )}
            </For>
          </tr>
        </thead>
        <tbody class="divide-y divide-line">
          <For each={[props.settings.agent, props.settings.models]}>
            {(set) => <For each={set.fields}>{(field) => <LayersRow set={set} field={field} />}</For>}
          </For>
        </tbody>
      </table>
    </section>
  );
}

function LayersRow(props: { readonly set: SettingsSet; readonly field: SettingField }) {
  const standing = () => props.set.standing(props.field.key);
  const organisation = () => (standing().fallbackLayer === 'ORGANISATION' ? standing().fallback : null);
  return (
    <tr>
      <th scope="row" class="px-4 py-2 text-left font-medium sm:px-5">
        {props.field.title} <span class="font-normal text-muted">{props.field.unit}</span>
      </th>
      <For each={[props.field.default, organisation(), standing().own, standing().ceiling]}>
        {(value) => (
          <td class="px-3 py-2 text-right text-muted">{value === null ? words.settings.empty : showValue(value)}</td>
        )}
      </For>
      <td class="px-3 py-2 pr-5 text-right font-medium" title={layerName(standing().layer)}>
        {showValue(standing().value)}
      </td>
    </tr>
  );
}
