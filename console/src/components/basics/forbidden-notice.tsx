import { A } from '@solidjs/router';
import Lock from 'lucide-solid/icons/lock';
import { buttonClass } from './button.tsx';

export function ForbiddenNotice() {
  return (
    <div class="flex flex-col items-center gap-3 rounded-lg border border-line bg-surface px-6 py-16 text-center">
      <Lock class="size-6 text-faint" aria-hidden="true" />
      <h1 class="text-lg font-semibold">This is for administrators</h1>
      <p class="max-w-md text-muted">
        Your account may not see this page. If you need it, ask an administrator of your organisation.
      </p>
      <A href="/settings" class={buttonClass('secondary')}>
        Go to your settings
      </A>
    </div>
  );
}
