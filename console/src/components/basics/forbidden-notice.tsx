import { A } from '@solidjs/router';
import Lock from 'lucide-solid/icons/lock';
import { words } from '../../words.ts';
import { buttonClass } from './button.tsx';

export function ForbiddenNotice() {
  return (
    <div class="flex flex-col items-center gap-3 rounded-lg border border-line bg-surface px-6 py-16 text-center">
      <Lock class="size-6 text-faint" aria-hidden="true" />
      <h1 class="text-lg font-semibold">{words.frame.forbidden.title}</h1>
      <p class="max-w-md text-muted">{words.frame.forbidden.text}</p>
      <A href="/settings" class={buttonClass('secondary')}>
        {words.frame.toSettings}
      </A>
    </div>
  );
}
