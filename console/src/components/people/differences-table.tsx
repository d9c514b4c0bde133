import type { SettingDifferenceFragment } from '@oracle-agent/sdk/documents';
import { For } from 'solid-js';
import { layerName } from '../../state/change-words.ts';
import { showValue } from '../../state/setting-words.ts';
import { words } from '../../words.ts';

interface DifferencesTableProps {
  readonly differences: readonly SettingDifferenceFragment[];
  readonly from: string;
  readonly to: string;
}

/** Settings at two points of time, side by side. */
export function DifferencesTable(props: DifferencesTableProps) {
  return (
    <table class="w-full table-fixed text-sm">
      <thead>
        <tr class="border-b border-line text-left text-muted">
          <For each={[words.history.differenceColumns.setting, props.from, props.to]}>
            {(title) => (
              <th scope="col" class="px-4 py-2 font-medium first:w-1/2">
                {title}
              </th>
            )}
          </For>
        </tr>
      </thead>
      <tbody class="divide-y divide-line">
        <For each={props.differences}>
          {(difference) => (
            <tr>
              <th scope="row" class="px-4 py-2 text-left font-medium wrap-anywhere">
                {difference.title}{' '}
                <span class="font-normal text-muted">{words.history.layer(layerName(difference.layer))}</span>
              </th>
              <td class="px-4 py-2 wrap-anywhere text-muted">{showValue(difference.from)}</td>
              <td class="px-4 py-2 font-medium wrap-anywhere">{showValue(difference.to)}</td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  );
}
