import { Menu as ArkMenu } from '@ark-ui/solid/menu';
import Check from 'lucide-solid/icons/check';
import Monitor from 'lucide-solid/icons/monitor';
import Moon from 'lucide-solid/icons/moon';
import Sun from 'lucide-solid/icons/sun';
import { For } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { type Theme, type ThemeChoice, themeChoices } from '../../state/theme.ts';
import { Menu, menuItemClass } from './menu.tsx';

const looks = {
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
  system: { label: 'System', icon: Monitor },
} satisfies Record<ThemeChoice, unknown>;

export function ThemeMenu(props: { readonly theme: Theme }) {
  const choose = (value: string) => {
    const choice = themeChoices.find((candidate) => candidate === value);
    if (choice) props.theme.choose(choice);
  };
  return (
    <Menu
      label={`Theme: ${looks[props.theme.choice()].label}`}
      trigger={<Dynamic component={looks[props.theme.choice()].icon} class="size-4" aria-hidden="true" />}
    >
      <ArkMenu.RadioItemGroup value={props.theme.choice()} onValueChange={({ value }) => choose(value)}>
        <For each={themeChoices}>
          {(choice) => (
            <ArkMenu.RadioItem value={choice} class={menuItemClass}>
              <Dynamic component={looks[choice].icon} class="size-4 text-muted" aria-hidden="true" />
              <ArkMenu.ItemText class="grow">{looks[choice].label}</ArkMenu.ItemText>
              <ArkMenu.ItemIndicator>
                <Check class="size-4 text-accent-text" aria-hidden="true" />
              </ArkMenu.ItemIndicator>
            </ArkMenu.RadioItem>
          )}
        </For>
      </ArkMenu.RadioItemGroup>
    </Menu>
  );
}
