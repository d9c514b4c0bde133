import { A } from '@solidjs/router';
import { words } from '../../words.ts';
import { buttonClass } from '../basics/button.tsx';

/** From somebody's settings to what they used, and to what other limits would have changed; one's own unless named. */
export function UsageLinks(props: { readonly userId?: string }) {
  const to = (page: string) => (props.userId === undefined ? `/${page}` : `/admin/${page}?user=${props.userId}`);
  return (
    <div class="flex gap-2">
      <A href={to('usage')} class={buttonClass('secondary')}>
        {words.usage.link}
      </A>
      <A href={to('what-if')} class={buttonClass('secondary')}>
        {words.whatIf.link}
      </A>
    </div>
  );
}
