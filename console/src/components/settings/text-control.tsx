import type { SettingsSet } from '../../state/settings-set.ts';
import { inputClass } from '../basics/text-field.tsx';

interface TextControlProps {
  readonly set: SettingsSet;
  readonly fieldKey: string;
  readonly label: string;
  readonly problemId: string;
}

export function TextControl(props: TextControlProps) {
  return (
    <input
      type="text"
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      aria-label={props.label}
      aria-invalid={props.set.state(props.fieldKey).type === 'invalid' ? 'true' : undefined}
      aria-describedby={props.problemId}
      class={`${inputClass} font-mono text-sm`}
      value={String(props.set.entry(props.fieldKey) ?? '')}
      onInput={(event) => props.set.edit(props.fieldKey, event.currentTarget.value)}
      onBlur={() => void props.set.flush()}
      onKeyDown={(event) => event.key === 'Enter' && void props.set.flush()}
    />
  );
}
