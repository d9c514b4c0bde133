import { Switch } from '@ark-ui/solid/switch';
import type { SettingsSet } from '../../state/settings-set.ts';
import { words } from '../../words.ts';

interface SwitchControlProps {
  readonly set: SettingsSet;
  readonly fieldKey: string;
  readonly label: string;
}

export function SwitchControl(props: SwitchControlProps) {
  const on = () => props.set.entry(props.fieldKey) === true;
  return (
    <Switch.Root
      checked={on()}
      onCheckedChange={({ checked }) => {
        props.set.edit(props.fieldKey, checked);
        void props.set.flush();
      }}
      class="inline-flex cursor-pointer items-center gap-2 self-start"
    >
      <Switch.Control class="inline-flex h-5 w-9 items-center rounded-full bg-control p-0.5 transition-colors data-[focus-visible]:outline-2 data-[focus-visible]:outline-offset-2 data-[focus-visible]:outline-accent-text data-[state=checked]:bg-accent">
        <Switch.Thumb class="size-4 rounded-full bg-on-accent transition-transform data-[state=checked]:translate-x-4" />
      </Switch.Control>
      <Switch.HiddenInput role="switch" aria-label={props.label} />
      <span class="text-sm text-muted" aria-hidden="true">
        {on() ? words.settings.switchOn : words.settings.switchOff}
      </span>
    </Switch.Root>
  );
}
