import { createEffect } from 'solid-js';

interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  /** Neither yes nor no: some of what it stands for. */
  readonly partly?: boolean;
  /** There is nothing that it could stand for. */
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** The browser's own box with room to press around it; its label is for people who do not see the row. */
export function Checkbox(props: CheckboxProps) {
  let box: HTMLInputElement | undefined;
  createEffect(() => {
    if (box) box.indeterminate = props.partly ?? false;
  });
  return (
    <label class="relative z-1 flex size-8 items-center justify-center">
      <span class="sr-only">{props.label}</span>
      <input
        ref={box}
        type="checkbox"
        class="size-4 accent-accent"
        checked={props.checked}
        disabled={props.disabled ?? false}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
    </label>
  );
}
