import Building from 'lucide-solid/icons/building';
import Lock from 'lucide-solid/icons/lock';
import UserRound from 'lucide-solid/icons/user-round';
import { type Component, Show } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import type { LayerBadge } from '../../state/layer-badge.ts';

interface Look {
  readonly colours: string;
  readonly icon?: Component<{ class?: string; 'aria-hidden'?: 'true' }>;
}

const looks: Record<LayerBadge['tone'], Look> = {
  own: { colours: 'border-transparent bg-accent-soft text-accent-text', icon: UserRound },
  organisation: { colours: 'border-transparent bg-sunken text-text', icon: Building },
  'built-in': { colours: 'border-line text-muted' },
  capped: { colours: 'border-warning-line bg-warning-soft text-warning', icon: Lock },
};

export function LayerBadgeView(props: { readonly badge: LayerBadge }) {
  const look = () => looks[props.badge.tone];
  return (
    <span
      class={`inline-flex items-center gap-1 rounded-full border px-2 text-xs leading-5 font-medium ${look().colours}`}
    >
      <Show when={look().icon}>
        {(icon) => <Dynamic component={icon()} class="size-3 shrink-0" aria-hidden="true" />}
      </Show>
      {props.badge.text}
    </span>
  );
}
