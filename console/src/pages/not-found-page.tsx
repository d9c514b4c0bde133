import { A } from '@solidjs/router';
import Compass from 'lucide-solid/icons/compass';
import { buttonClass } from '../components/basics/button.tsx';
import { createPlace } from '../state/place.ts';

export function NotFoundPage() {
  createPlace(() => 'Not found');
  return <NotFoundNotice what="page" />;
}

export function NotFoundNotice(props: { readonly what: 'page' | 'person' }) {
  return (
    <div class="mx-auto flex max-w-lg flex-col items-center gap-3 px-6 py-20 text-center">
      <Compass class="size-7 text-faint" aria-hidden="true" />
      <h1 class="text-lg font-semibold">There is no such {props.what}</h1>
      <p class="text-muted">It may have been removed, or the address may be mistyped.</p>
      <A href="/settings" class={buttonClass('secondary')}>
        Go to your settings
      </A>
    </div>
  );
}
