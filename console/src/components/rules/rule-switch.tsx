import { Switch } from '@ark-ui/solid/switch';

interface RuleSwitchProps {
  readonly label: string;
  readonly on: boolean;
  readonly disabled: boolean;
  readonly onChange: (on: boolean) => void;
}

export function RuleSwitch(props: RuleSwitchProps) {
  return (
    <Switch.Root
      checked={props.on}
      disabled={props.disabled}
      onCheckedChange={({ checked }) => props.onChange(checked)}
      class="inline-flex shrink-0 items-center"
      classList={{ 'cursor-pointer': !props.disabled, 'opacity-60': props.disabled }}
    >
      <Switch.Control class="inline-flex h-5 w-9 items-center rounded-full bg-control p-0.5 transition-colors data-[focus-visible]:outline-2 data-[focus-visible]:outline-offset-2 data-[focus-visible]:outline-accent-text data-[state=checked]:bg-accent">
        <Switch.Thumb class="size-4 rounded-full bg-on-accent transition-transform data-[state=checked]:translate-x-4" />
      </Switch.Control>
      <Switch.HiddenInput role="switch" aria-label={props.label} />
    </Switch.Root>
  );
}
