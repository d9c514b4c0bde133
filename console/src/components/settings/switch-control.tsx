import type { SettingsSet } from '../../state/settings-set.ts';
import { words } from '../../words.ts';
import { Toggle } from '../basics/toggle.tsx';

interface SwitchControlProps {
  readonly set: SettingsSet;
  readonly fieldKey: string;
  readonly label: string;
}

export function SwitchControl(props: SwitchControlProps) {
  const on = () => props.set.entry(props.fieldKey) === true;
  return (
    <Toggle
      label={props.label}
      checked={on()}
      text={on() ? words.settings.switchOn : words.settings.switchOff}
      onChange={(checked) => {
        props.set.edit(props.fieldKey, checked);
        void props.set.flush();
      }}
    />
  );
}
