import Building from 'lucide-solid/icons/building';
import Lock from 'lucide-solid/icons/lock';
import UserRound from 'lucide-solid/icons/user-round';
import { Match, Switch } from 'solid-js';
import type { LayerBadge } from '../../state/layer-badge.ts';

const looks: Record<LayerBadge['tone'], string> = {
  own: 'border-transparent bg-accent-soft text-accent-text',
  inherited: 'border-line text-muted',
  capped: 'border-warning-line bg-warning-soft text-warning',
};

export function LayerBadgeView(props: { readonly badge: LayerBadge }) {
  return (
    <span
      class={`inline-flex items-center gap-1 rounded-full border px-2 text-xs leading-5 font-medium ${looks[props.badge.tone]}`}
    >
      <Switch fallback={<Building class="size-3 shrink-0" aria-hidden="true" />}>
        <Match when={props.badge.tone === 'own'}>
          <UserRound class="size-3 shrink-0" aria-hidden="true" />
        </Match>
        <Match when={props.badge.tone === 'capped'}>
          <Lock class="size-3 shrink-0" aria-hidden="true" />
        </Match>
      </Switch>
      {props.badge.text}
    </span>
  );
}
