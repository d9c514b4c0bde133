import Search from 'lucide-solid/icons/search';
import X from 'lucide-solid/icons/x';
import { For, Show } from 'solid-js';
import { chipsOf, type Period, periods, type RunState, runStates, toggleState } from '../../state/runs/run-filters.ts';
import type { RunList } from '../../state/runs/run-list.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { inputClass } from '../basics/text-field.tsx';

/** What narrows the list: choosing adds a chip, a chip is removed by pressing it. All of it is in the address. */
export function RunFiltersBar(props: { readonly list: RunList }) {
  const filters = () => props.list.filters();
  const nameOf = (userId: string) => props.list.people().find(({ id }) => id === userId)?.name;
  const chips = () => chipsOf(filters(), nameOf);
  return (
    <search class="mb-3 flex flex-col gap-2" aria-label={words.runs.filters}>
      <div class="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        <div class="relative col-span-2 sm:w-72">
          <Search class="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" aria-hidden="true" />
          <input
            type="search"
            aria-label={words.runs.search}
            placeholder={words.runs.search}
            class={`${inputClass} pl-8`}
            value={props.list.search()}
            onInput={(event) => props.list.type(event.currentTarget.value)}
          />
        </div>
        <Choice
          label={words.runs.add.state}
          options={runStates
            .filter((state) => !filters().state.includes(state))
            .map((state) => ({ value: state, label: words.runs.states[state] }))}
          onChoose={(state) => props.list.filter(toggleState(filters(), state as RunState))}
        />
        <Choice
          label={words.runs.add.model}
          options={props.list
            .models()
            .filter(({ id }) => !filters().model.includes(id))
            .map(({ id }) => ({ value: id, label: id }))}
          onChoose={(model) => props.list.filter({ ...filters(), model: [...filters().model, model] })}
        />
        <Choice
          label={words.runs.add.period}
          options={Object.keys(periods).map((period) => ({
            value: period,
            label: words.runs.periods[period as Period],
          }))}
          onChoose={(period) => props.list.filter({ ...filters(), period: period as Period })}
        />
        <Show when={props.list.admin}>
          <Choice
            label={words.runs.add.user}
            options={[
              { value: 'me', label: words.runs.mine },
              ...props.list.people().map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChoose={(user) => props.list.filter({ ...filters(), user })}
          />
        </Show>
      </div>
      <Show when={chips().length > 0}>
        <ul class="flex flex-wrap items-center gap-1.5">
          <For each={chips()}>
            {(chip) => (
              <li class="min-w-0">
                <button
                  type="button"
                  class="inline-flex h-7 max-w-72 items-center gap-1 rounded-full border border-line bg-accent-soft pr-1.5 pl-2.5 text-sm text-accent-text hover:border-control"
                  aria-label={words.runs.chips.remove(chip.label)}
                  onClick={() => props.list.filter(chip.without)}
                >
                  <span class="truncate">{chip.label}</span>
                  <X class="size-3.5 shrink-0" aria-hidden="true" />
                </button>
              </li>
            )}
          </For>
          <li>
            <Button size="small" variant="ghost" onClick={() => clearFilters(props.list)}>
              {words.runs.chips.clear}
            </Button>
          </li>
        </ul>
      </Show>
    </search>
  );
}

export function clearFilters(list: RunList) {
  list.filter({ state: [], model: [], period: undefined, user: undefined, search: '' });
}

interface ChoiceProps {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChoose: (value: string) => void;
}

/** The browser's own select, used as a menu: what is chosen becomes a chip, and the select shows its name again. */
function Choice(props: ChoiceProps) {
  return (
    <select
      aria-label={props.label}
      class={`${inputClass} sm:w-auto sm:max-w-44`}
      onChange={(event) => {
        const { value } = event.currentTarget;
        event.currentTarget.selectedIndex = 0;
        if (value !== '') props.onChoose(value);
      }}
    >
      <option value="">{props.label}</option>
      <For each={props.options}>{(option) => <option value={option.value}>{option.label}</option>}</For>
    </select>
  );
}
