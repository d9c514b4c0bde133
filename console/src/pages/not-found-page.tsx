import { A } from '@solidjs/router';
import Compass from 'lucide-solid/icons/compass';
import { buttonClass } from '../components/basics/button.tsx';
import { createPlace } from '../state/place.ts';
import { words } from '../words.ts';

export function NotFoundPage() {
  createPlace(() => words.frame.notFound.title);
  return <NotFoundNotice what="page" />;
}

export function NotFoundNotice(props: { readonly what: 'page' | 'person' }) {
  return (
    <div class="mx-auto flex max-w-lg flex-col items-center gap-3 px-6 py-20 text-center">
      <Compass class="size-7 text-faint" aria-hidden="true" />
      <h1 class="text-lg font-semibold">{words.frame.notFound[props.what]}</h1>
      <p class="text-muted">{words.frame.notFound.text}</p>
      <A href="/settings" class={buttonClass('secondary')}>
        {words.frame.toSettings}
      </A>
    </div>
  );
}
