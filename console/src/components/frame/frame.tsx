import { SettingsChangedDocument } from '@oracle-agent/sdk/documents';
import { Navigate, useLocation } from '@solidjs/router';
import {
  createEffect,
  createMemo,
  createSignal,
  ErrorBoundary,
  type JSX,
  Match,
  on,
  onCleanup,
  Show,
  Suspense,
  Switch,
} from 'solid-js';
import { useApp, ViewerContext } from '../../state/app-context.ts';
import { createUnseenCount } from '../../state/inbox.ts';
import { loadPageAnew, PartMissing } from '../../state/lazy-part.ts';
import { destinationsFor, fillsScreen } from '../../state/navigation.ts';
import { createRail } from '../../state/rail.ts';
import type { Viewer } from '../../state/session.ts';
import { keysOf, shortcutsFor } from '../../state/shortcuts.ts';
import { toasts } from '../../state/toasts.ts';
import { words } from '../../words.ts';
import { FailedNotice } from '../basics/notice.tsx';
import { SkeletonCards } from '../basics/skeleton.tsx';
import { ToastsView } from '../basics/toasts-view.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Breadcrumb } from './breadcrumb.tsx';
import { ConnectionDot } from './connection-dot.tsx';
import { createPanels, FramePanels } from './frame-panels.tsx';
import { InboxLink } from './inbox-link.tsx';
import { Rail } from './rail.tsx';
import { SearchButton } from './search-button.tsx';
import { ThemeMenu } from './theme-menu.tsx';

/** Around every page but sign-in: makes sure that somebody is signed in, and sends them to the door otherwise. */
export function Frame(props: { readonly children?: JSX.Element }) {
  const { session } = useApp();
  const location = useLocation();
  const viewer = () => {
    const state = session.state();
    return state.type === 'signed-in' ? state.viewer : undefined;
  };
  const failure = () => {
    const state = session.state();
    return state.type === 'failed' ? state.message : undefined;
  };
  const signIn = () => `/sign-in?from=${encodeURIComponent(location.pathname + location.search)}`;

  return (
    <Switch>
      <Match when={viewer()}>{(present) => <SignedInFrame viewer={present()}>{props.children}</SignedInFrame>}</Match>
      <Match when={session.state().type === 'signed-out'}>
        <Navigate href={signIn()} />
      </Match>
      <Match when={failure()}>
        {(message) => (
          <main class="mx-auto max-w-lg p-6 pt-24">
            <FailedNotice message={message()} onRetry={() => void session.load()} />
          </main>
        )}
      </Match>
    </Switch>
  );
}

function SignedInFrame(props: { readonly viewer: Viewer; readonly children: JSX.Element }) {
  const { session, live, theme } = useApp();
  const location = useLocation();
  const [stillSignedIn, setStillSignedIn] = createSignal(false);
  const unseen = createUnseenCount(live);
  const rail = createRail();
  const panels = createPanels();
  const keys = createMemo(() => new Map(shortcutsFor(props.viewer.role).map((one) => [one.id, keysOf(one)])));
  const hint = (id: string, label: string) => {
    const found = keys().get(id);
    return found === undefined ? label : words.shortcuts.hint(label, found);
  };
  let main: HTMLElement | undefined;

  async function signOut() {
    setStillSignedIn(false);
    setStillSignedIn(!(await session.signOut()));
  }

  // Keeps the connection open on every page, so that the dot tells the truth.
  onCleanup(toasts.clear);
  onCleanup(live.subscribe(SettingsChangedDocument, {}, () => {}));

  // A new page is read from its top; keyboards and screen readers must start there too. The chat keeps its own focus.
  createEffect(
    on(
      () => location.pathname,
      (path) => fillsScreen(path) || main?.focus({ preventScroll: true }),
      { defer: true },
    ),
  );

  return (
    <ViewerContext.Provider value={() => props.viewer}>
      <a
        href="#main"
        target="_self"
        class="sr-only z-50 rounded-md bg-accent px-3 py-2 font-medium text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {words.frame.skip}
      </a>
      <div class="flex min-h-dvh">
        <Rail
          rail={rail}
          destinations={destinationsFor(props.viewer.role)}
          hint={({ href, label }) => hint(`go:${href}`, label)}
        />
        <div class="flex min-w-0 grow flex-col">
          <header class="sticky top-0 z-20 flex h-12 items-center gap-2 border-b border-line bg-canvas px-4 sm:px-6">
            <Breadcrumb />
            <SearchButton onOpen={() => panels.showPalette(true)} />
            <InboxLink unseen={unseen()} />
            <ConnectionDot status={live.status()} />
            <ThemeMenu theme={theme} />
            <AccountMenu
              viewer={props.viewer}
              onShortcuts={() => panels.showHelp(true)}
              onSignOut={() => void signOut()}
            />
          </header>
          <main
            ref={main}
            id="main"
            tabindex="-1"
            class="outline-none"
            classList={{
              'grow px-4 pt-5 pb-24 sm:px-6 sm:pb-12': !fillsScreen(location.pathname),
              'flex h-[calc(100dvh-6.5rem-1px)] flex-col sm:h-[calc(100dvh-3rem)]': fillsScreen(location.pathname),
            }}
          >
            <p role="alert" class="mb-4 rounded-md bg-failure-soft px-3 py-2 text-failure empty:hidden">
              {stillSignedIn() ? words.frame.stillSignedIn : undefined}
            </p>
            <ErrorBoundary fallback={(error, retry) => <FailedPage error={error} onRetry={retry} />}>
              <Suspense fallback={<SkeletonCards count={3} />}>{props.children}</Suspense>
            </ErrorBoundary>
          </main>
        </div>
      </div>
      <FramePanels panels={panels} rail={rail} onSignOut={() => void signOut()} />
      <ToastsView toasts={toasts} />
    </ViewerContext.Provider>
  );
}

/** In the place of a page, so with a heading of its own. */
function FailedPage(props: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <>
      <h1 class="sr-only">{words.frame.pageFailed}</h1>
      <Show
        when={props.error instanceof PartMissing}
        fallback={<FailedNotice message={words.frame.pageFailed} onRetry={() => props.onRetry()} />}
      >
        <FailedNotice message={words.frame.partMissing} onRetry={() => void loadPageAnew()} />
      </Show>
    </>
  );
}
