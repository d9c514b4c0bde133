import type { JSX } from 'solid-js';
import { Toggle } from './toggle.tsx';

interface SwitchRowProps {
  readonly name: string;
  /** Where its details are. */
  readonly href: string;
  readonly current: boolean;
  readonly switchLabel: string;
  readonly on: boolean;
  readonly locked: boolean;
  readonly onSwitch: (on: boolean) => void;
  /** Beside the name. */
  readonly badges: JSX.Element;
  readonly children: JSX.Element;
}

/** Something in a list that can be switched on and off. The whole row leads to it; the switch stands above. */
export function SwitchRow(props: SwitchRowProps) {
  return (
    <li
      class="relative flex items-start gap-3 px-3 py-3 transition-colors hover:bg-sunken sm:px-4"
      classList={{ 'bg-accent-soft': props.current }}
    >
      <div class="relative z-1 pt-0.5">
        <Toggle label={props.switchLabel} checked={props.on} disabled={props.locked} onChange={props.onSwitch} />
      </div>
      <div class="min-w-0 flex-1">
        <div class="flex flex-wrap items-center gap-x-2 gap-y-1">
          <a
            href={props.href}
            dir="auto"
            noScroll
            aria-current={props.current ? 'true' : undefined}
            class="font-medium wrap-anywhere after:absolute after:inset-0"
          >
            {props.name}
          </a>
          {props.badges}
        </div>
        {props.children}
      </div>
    </li>
  );
}
