import { Menu as ArkMenu } from '@ark-ui/solid/menu';
import Keyboard from 'lucide-solid/icons/keyboard';
import LogOut from 'lucide-solid/icons/log-out';
import { roleName } from '../../state/people-words.ts';
import type { Viewer } from '../../state/session.ts';
import { words } from '../../words.ts';
import { Avatar } from '../basics/avatar.tsx';
import { Menu, menuItemClass } from './menu.tsx';

interface AccountMenuProps {
  readonly viewer: Viewer;
  readonly onShortcuts: () => void;
  readonly onSignOut: () => void;
}

export function AccountMenu(props: AccountMenuProps) {
  return (
    <Menu
      label={words.frame.account(props.viewer.name)}
      trigger={<Avatar name={props.viewer.name} />}
      onSelect={(value) => (value === 'sign-out' ? props.onSignOut() : props.onShortcuts())}
      header={
        <div class="mb-1 border-b border-line px-2 pt-1 pb-2">
          <p class="font-medium wrap-anywhere">{props.viewer.name}</p>
          <p class="text-sm wrap-anywhere text-muted">{props.viewer.email}</p>
          <p class="mt-0.5 text-xs text-muted">{roleName(props.viewer.role)}</p>
        </div>
      }
    >
      <ArkMenu.Item value="shortcuts" class={menuItemClass}>
        <Keyboard class="size-4 text-muted" aria-hidden="true" />
        <span class="grow">{words.shortcuts.menu}</span>
        <kbd class="font-mono text-xs text-muted">?</kbd>
      </ArkMenu.Item>
      <ArkMenu.Item value="sign-out" class={menuItemClass}>
        <LogOut class="size-4 text-muted" aria-hidden="true" />
        {words.frame.signOut}
      </ArkMenu.Item>
    </Menu>
  );
}
