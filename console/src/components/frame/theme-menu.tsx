import { Menu as ArkMenu } from '@ark-ui/solid/menu';
import Check from 'lucide-solid/icons/check';
import Monitor from 'lucide-solid/icons/monitor';
import Moon from 'lucide-solid/icons/moon';
import Sun from 'lucide-solid/icons/sun';
import { For } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { type Theme, type ThemeChoice, themeChoices } from '../../state/theme.ts';
import { words } from '../../words.ts';
import { Menu, menuItemClass } from './menu.tsx';

const icons = { light: Sun, dark: Moon, system: Monitor } satisfies Record<ThemeChoice, unknown>;

export function ThemeMenu(props: { readonly theme: Theme }) {
  const choose = (value: string) => {
    const choice = themeChoices.find((candidate) => candidate === value);
    if (choice) props.theme.choose(choice);
  };
  return (
    <Menu
      label={words.frame.theme(words.frame.themes[props.theme.choice()])}
      trigger={<Dynamic component={icons[props.theme.choice()]} class="size-4" aria-hidden="true" />}
    >
      <ArkMenu.RadioItemGroup value={props.theme.choice()} onValueChange={({ value }) => choose(value)}>
        <For each={themeChoices}>
          {(choice) => (
            <ArkMenu.RadioItem value={choice} class={menuItemClass}>
              <Dynamic component={icons[choice]} class="size-4 text-muted" aria-hidden="true" />
              <ArkMenu.ItemText class="grow">{words.frame.themes[choice]}</ArkMenu.ItemText>
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
