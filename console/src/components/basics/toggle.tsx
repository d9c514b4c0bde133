import { Switch } from '@ark-ui/solid/switch';

interface ToggleProps {
  readonly label: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  /** What stands beside it, for the eye. */
  readonly text?: string;
  readonly onChange: (checked: boolean) => void;
}

/** On or off, at once. */
export function Toggle(props: ToggleProps) {
  let input: HTMLInputElement | undefined;

  /** The browser's own checkbox has moved already; it stays where it was unless whoever is asked agrees. */
  function change(checked: boolean) {
    props.onChange(checked);
    if (input) input.checked = props.checked;
  }

  return (
    <Switch.Root
      checked={props.checked}
      disabled={props.disabled ?? false}
      onCheckedChange={({ checked }) => change(checked)}
      class="inline-flex cursor-pointer items-center gap-2 self-start data-[disabled]:cursor-not-allowed"
    >
      <Switch.Control class="inline-flex h-5 w-9 items-center rounded-full bg-control p-0.5 transition-colors data-[disabled]:opacity-60 data-[focus-visible]:outline-2 data-[focus-visible]:outline-offset-2 data-[focus-visible]:outline-accent-text data-[state=checked]:bg-accent">
        <Switch.Thumb class="size-4 rounded-full bg-on-accent transition-transform data-[state=checked]:translate-x-4" />
      </Switch.Control>
      <Switch.HiddenInput ref={input} role="switch" aria-label={props.label} />
      <span class="text-sm text-muted empty:hidden" aria-hidden="true">
        {props.text}
      </span>
    </Switch.Root>
  );
}
