import { Popover } from '@ark-ui/solid/popover';
import { A } from '@solidjs/router';
import ChevronDown from 'lucide-solid/icons/chevron-down';
import { createUniqueId, For, Show } from 'solid-js';
import type { ConfigField, Options } from '../../state/chat/options.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { inputClass } from '../basics/text-field.tsx';
import { ModelPicker } from './model-picker.tsx';

/** How the next questions are answered: model, decision tree, limits. */
export function OptionsPanel(props: { readonly options: Options }) {
  const summary = () => {
    const { options } = props;
    const changed = options.changedFields().length;
    const parts = [
      modelTitle(options),
      ...(options.decisionTree() === undefined ? [] : [options.decisionTree()]),
      ...(changed === 0 ? [] : [words.options.changed(changed)]),
    ];
    return parts.join(' · ');
  };
  return (
    <Popover.Root positioning={{ placement: 'top-start' }} lazyMount unmountOnExit autoFocus={false}>
      <Popover.Trigger
        aria-label={`${words.options.button}: ${summary()}`}
        title={words.options.button}
        class="flex h-7 max-w-full min-w-0 items-center gap-1.5 rounded-md px-2 text-sm text-muted hover:bg-sunken hover:text-text data-changed:text-accent-text"
        data-changed={props.options.changed() ? '' : undefined}
      >
        <span class="truncate">{summary()}</span>
        <ChevronDown class="size-3.5 shrink-0" aria-hidden="true" />
      </Popover.Trigger>
      <Popover.Positioner class="z-30!">
        <Popover.Content
          aria-label={words.options.button}
          class="flex max-h-[70vh] w-[min(24rem,calc(100vw-2rem))] flex-col gap-4 overflow-y-auto rounded-lg border border-line bg-raised p-4 shadow-raised outline-none"
        >
          <ModelPicker options={props.options} />
          <TreePicker options={props.options} />
          <Limits options={props.options} />
          <div class="flex items-center justify-between gap-2">
            <A href="/settings" class="text-sm text-accent-text hover:underline">
              {words.options.settings}
            </A>
            <div class="flex gap-2">
              <Button size="small" variant="ghost" disabled={!props.options.changed()} onClick={props.options.reset}>
                {words.options.reset}
              </Button>
              <Popover.CloseTrigger
                asChild={(close) => (
                  <Button size="small" {...close()} aria-label={words.options.done}>
                    {words.options.done}
                  </Button>
                )}
              />
            </div>
          </div>
        </Popover.Content>
      </Popover.Positioner>
    </Popover.Root>
  );
}

function modelTitle(options: Options): string {
  const models = options.known()?.models ?? [];
  const chosen = options.model();
  if (chosen !== undefined) return models.find(({ id }) => id === chosen)?.title ?? chosen;
  return models.find(({ isDefault }) => isDefault)?.title ?? words.options.model;
}

function TreePicker(props: { readonly options: Options }) {
  const id = createUniqueId();
  const trees = () => props.options.known()?.decisionTrees ?? [];
  const chosen = () => props.options.decisionTree() ?? 'default';
  return (
    <div class="flex flex-col gap-1">
      <label for={id} class="font-medium">
        {words.options.tree}
      </label>
      <select
        id={id}
        class={inputClass}
        aria-describedby={`${id}-help`}
        onChange={({ currentTarget: { value } }) =>
          props.options.setDecisionTree(value === 'default' ? undefined : value)
        }
      >
        <For each={trees()}>
          {(tree) => (
            <option value={tree.name} selected={tree.name === chosen()}>
              {tree.name}
            </option>
          )}
        </For>
      </select>
      <p id={`${id}-help`} class="text-sm text-muted">
        {trees().find(({ name }) => name === chosen())?.description}
      </p>
    </div>
  );
}

function Limits(props: { readonly options: Options }) {
  return (
    <fieldset class="flex flex-col gap-2">
      <legend class="font-medium">{words.options.limits}</legend>
      <p class="text-sm text-muted">{words.options.limitsHint}</p>
      <For each={props.options.known()?.agentConfigFields ?? []}>
        {(field) => <LimitRow field={field} options={props.options} />}
      </For>
    </fieldset>
  );
}

function LimitRow(props: { readonly field: ConfigField; readonly options: Options }) {
  const id = createUniqueId();
  const bounds = () => props.options.boundsOf(props.field);
  return (
    <div class="grid grid-cols-[1fr_7rem] items-center gap-x-3">
      <label for={id}>
        {props.field.title} <span class="text-xs text-faint">{props.field.unit}</span>
      </label>
      <input
        id={id}
        inputmode="numeric"
        autocomplete="off"
        class={inputClass}
        placeholder={words.options.own(bounds().own)}
        value={props.options.limit(props.field.name)}
        aria-invalid={props.options.isValid(props.field) ? undefined : 'true'}
        aria-describedby={`${id}-problem`}
        onInput={({ currentTarget: { value } }) => props.options.setLimit(props.field.name, value)}
      />
      <Show when={!props.options.isValid(props.field)}>
        <p id={`${id}-problem`} role="alert" class="col-span-2 text-sm text-failure">
          {words.options.outside(bounds().min, bounds().max)}
        </p>
      </Show>
    </div>
  );
}
