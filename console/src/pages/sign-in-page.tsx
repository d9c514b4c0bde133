import { useNavigate, useSearchParams } from '@solidjs/router';
import { createEffect, createSignal, Show } from 'solid-js';
import { Button } from '../components/basics/button.tsx';
import { TextField } from '../components/basics/text-field.tsx';
import { Logo } from '../components/frame/logo.tsx';
import { useApp } from '../state/app-context.ts';
import { createPlace } from '../state/place.ts';
import { safeReturnPath } from '../state/session.ts';
import { words } from '../words.ts';

export function SignInPage() {
  createPlace(() => words.frame.signIn.title);
  const { session } = useApp();
  const navigate = useNavigate();
  const [search] = useSearchParams<{ from: string }>();
  const [token, setToken] = createSignal('');
  const [problem, setProblem] = createSignal<string>();
  const [busy, setBusy] = createSignal(false);
  const ended = () => {
    const state = session.state();
    return state.type === 'signed-out' && state.reason === 'ended';
  };

  createEffect(() => {
    if (session.state().type === 'signed-in') navigate(safeReturnPath(search.from), { replace: true });
  });

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (busy()) return;
    if (token().trim() === '') return setProblem(words.frame.signIn.tokenMissing);
    setBusy(true);
    setProblem(undefined);
    const outcome = await session.signIn(token().trim());
    setBusy(false);
    if (outcome.type === 'refused') setProblem(outcome.message);
  }

  return (
    <main class="flex min-h-dvh flex-col items-center justify-center p-4">
      <form
        class="flex w-full max-w-sm flex-col gap-5 rounded-lg border border-line bg-surface p-6"
        novalidate
        onSubmit={(event) => void submit(event)}
      >
        <div class="flex items-center gap-3">
          <Logo class="size-9 shrink-0" />
          <div>
            <h1 class="text-lg font-semibold">{words.frame.signIn.heading}</h1>
            <p class="text-sm text-muted">{words.frame.signIn.introduction}</p>
          </div>
        </div>
        <Show when={ended()}>
          <p role="status" class="rounded-md bg-sunken px-3 py-2 text-sm">
            {words.frame.signIn.ended}
          </p>
        </Show>
        <TextField
          label={words.frame.signIn.token}
          hint={words.frame.signIn.tokenHint}
          type="password"
          autocomplete="current-password"
          autofocus
          class="font-mono"
          value={token()}
          onInput={(event) => setToken(event.currentTarget.value)}
          problem={problem()}
        />
        <Button type="submit" variant="primary" disabled={busy()}>
          {busy() ? words.frame.signIn.busy : words.frame.signIn.submit}
        </Button>
      </form>
      <p class="mt-4 max-w-sm text-center text-sm text-muted">{words.frame.signIn.help}</p>
    </main>
  );
}
