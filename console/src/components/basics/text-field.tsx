import { createUniqueId, type JSX, Show, splitProps } from 'solid-js';

interface TextFieldProps extends JSX.InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | undefined;
}

export const inputClass =
  'h-8 w-full rounded-md border border-control bg-surface px-2.5 text-text placeholder:text-faint aria-invalid:border-failure';

/** An input with its label, an optional hint and, when there is one, the reason why it was not accepted. */
export function TextField(props: TextFieldProps) {
  const [own, rest] = splitProps(props, ['label', 'hint', 'problem', 'class']);
  const id = createUniqueId();
  return (
    <div class="flex flex-col gap-1">
      <label for={id} class="font-medium">
        {own.label}
      </label>
      <input
        {...rest}
        id={id}
        class={`${inputClass} ${own.class ?? ''}`}
        aria-invalid={own.problem ? 'true' : undefined}
        aria-describedby={`${id}-hint ${id}-problem`}
      />
      <Show when={own.hint}>
        <p id={`${id}-hint`} class="text-sm text-muted">
          {own.hint}
        </p>
      </Show>
      <p id={`${id}-problem`} role="alert" class="text-sm text-failure empty:hidden">
        {own.problem}
      </p>
    </div>
  );
}
