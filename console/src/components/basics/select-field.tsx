import { createUniqueId, For } from 'solid-js';
import { inputClass } from './text-field.tsx';

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** The browser's own select: works with every keyboard, screen reader and phone. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const id = createUniqueId();
  return (
    <div class="flex flex-col gap-1">
      <label for={id} class="font-medium">
        {props.label}
      </label>
      <select
        id={id}
        class={inputClass}
        onChange={(event) => {
          const chosen = props.options[event.currentTarget.selectedIndex];
          if (chosen) props.onChange(chosen.value);
        }}
      >
        <For each={props.options}>
          {(option) => (
            <option value={option.value} selected={option.value === props.value}>
              {option.label}
            </option>
          )}
        </For>
      </select>
    </div>
  );
}
