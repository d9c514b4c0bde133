import { createSignal, createUniqueId, For, Show } from 'solid-js';
import type { Model, Options } from '../../state/chat/options.ts';
import { words } from '../../words.ts';
import { inputClass } from '../basics/text-field.tsx';

const groups = ['PROVIDER', 'OFFLINE', 'SIMULATED'] as const satisfies readonly Model['group'][];
const another = '\0another';

/** The browser's own list, in groups; those that act out an ending are a group of their own. */
export function ModelPicker(props: { readonly options: Options }) {
  const id = createUniqueId();
  const [free, setFree] = createSignal(false);
  const models = () => props.options.known()?.models ?? [];
  const ofGroup = (group: Model['group']) => models().filter((model) => model.group === group && !model.isPattern);
  const chosen = () => models().find((model) => model.id === props.options.model());
  const standard = () => models().find(({ isDefault }) => isDefault);
  const description = () => (chosen() ?? (props.options.model() === undefined ? standard() : undefined))?.description;

  function choose(value: string) {
    setFree(value === another);
    props.options.setModel(value === '' || value === another ? undefined : value);
  }

  return (
    <div class="flex flex-col gap-1">
      <label for={id} class="font-medium">
        {words.options.model}
      </label>
      <select
        id={id}
        class={inputClass}
        aria-describedby={`${id}-help`}
        onChange={({ currentTarget: { value } }) => choose(value)}
      >
        <option value="" selected={props.options.model() === undefined && !free()}>
          {words.options.modelDefault(standard()?.title ?? '')}
        </option>
        <For each={groups.filter((group) => ofGroup(group).length > 0)}>
          {(group) => (
            <optgroup label={words.options.groups[group]}>
              <For each={ofGroup(group)}>
                {(model) => (
                  <option value={model.id} selected={model.id === props.options.model()}>
                    {model.title === model.id ? model.id : `${model.title} (${model.id})`}
                  </option>
                )}
              </For>
            </optgroup>
          )}
        </For>
        <option value={another} selected={free()}>
          {words.options.custom}
        </option>
      </select>
      <Show when={free()}>
        <input
          aria-label={words.options.customLabel}
          placeholder={models().find(({ isPattern }) => isPattern)?.id ?? words.options.customPlaceholder}
          class={`${inputClass} font-mono`}
          onChange={({ currentTarget: { value } }) => props.options.setModel(value.trim() || undefined)}
        />
      </Show>
      <p id={`${id}-help`} class="text-sm text-muted">
        {description()}
      </p>
    </div>
  );
}
