import { For } from 'solid-js';
import { words } from '../../words.ts';

interface NumbersTableProps {
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Numbers as a table; the first column names the row. Long ones scroll within themselves. */
export function NumbersTable(props: NumbersTableProps) {
  return (
    <section
      aria-label={words.usage.tableOf(props.label)}
      tabindex="0"
      class="max-h-80 overflow-auto rounded-md border border-line"
    >
      <table class="w-full text-sm tabular-nums">
        <thead class="sticky top-0 bg-sunken">
          <tr>
            <For each={props.head}>
              {(name, index) => (
                <th
                  scope="col"
                  class={`px-3 py-1.5 font-medium whitespace-nowrap ${index() === 0 ? 'text-left' : 'text-right'}`}
                >
                  {name}
                </th>
              )}
            </For>
          </tr>
        </thead>
        <tbody class="divide-y divide-line">
          <For each={props.rows}>
            {(row) => (
              <tr>
                <th scope="row" class="px-3 py-1.5 text-left font-normal whitespace-nowrap">
                  {row[0]}
                </th>
                <For each={row.slice(1)}>
                  {(cell) => <td class="px-3 py-1.5 text-right whitespace-nowrap">{cell}</td>}
                </For>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  );
}
