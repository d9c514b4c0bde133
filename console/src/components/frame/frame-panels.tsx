import { useNavigate } from '@solidjs/router';
import { createEffect, createSignal, ErrorBoundary, type JSX, Show, Suspense } from 'solid-js';
import { useApp, useViewer } from '../../state/app-context.ts';
import { focusPageSearch, followFrameKeys } from '../../state/frame-keys.ts';
import { lazyPart } from '../../state/lazy-part.ts';
import type { Rail } from '../../state/rail.ts';
import { createShortcutSwitch, type Shortcut, shortcutsFor } from '../../state/shortcuts.ts';
import { stopAllRuns } from '../../state/stop-runs.ts';
import { toasts } from '../../state/toasts.ts';
import { words } from '../../words.ts';

// Loaded when they are first asked for, so that the first page comes without them.
const PaletteDialog = lazyPart(async () => (await import('../palette/palette-dialog.tsx')).PaletteDialog);
const ShortcutsDialog = lazyPart(async () => (await import('../palette/shortcuts-dialog.tsx')).ShortcutsDialog);

export interface Panels {
  readonly palette: () => boolean;
  readonly showPalette: (open: boolean) => void;
  readonly help: () => boolean;
  readonly showHelp: (open: boolean) => void;
}

export function createPanels(): Panels {
  const [palette, showPalette] = createSignal(false);
  const [help, showHelp] = createSignal(false);
  return { palette, showPalette, help, showHelp };
}

interface FramePanelsProps {
  readonly panels: Panels;
  readonly rail: Rail;
  readonly onSignOut: () => void;
}

/** What opens over every page, and the keys that open it. */
export function FramePanels(props: FramePanelsProps) {
  const { session, theme } = useApp();
  const viewer = useViewer();
  const navigate = useNavigate();
  const shortcuts = () => shortcutsFor(viewer().role);
  const singleKeys = createShortcutSwitch();

  function follow(shortcut: Shortcut) {
    if (shortcut.href !== undefined) navigate(shortcut.href);
    else if (shortcut.id === 'help') props.panels.showHelp(true);
    else if (shortcut.id === 'rail') props.rail.toggle();
    else if (shortcut.id === 'search' && !focusPageSearch()) props.panels.showPalette(true);
  }

  followFrameKeys({
    shortcuts,
    enabled: singleKeys.on,
    onShortcut: follow,
    onPalette: () => props.panels.showPalette(true),
  });

  return (
    <>
      <OnceOpened open={props.panels.palette()} onClose={() => props.panels.showPalette(false)}>
        <PaletteDialog
          open={props.panels.palette()}
          onClose={() => props.panels.showPalette(false)}
          actions={{
            chooseTheme: theme.choose,
            signOut: () => props.onSignOut(),
            stopRuns: () => stopAllRuns(session.client, toasts),
            showShortcuts: () => props.panels.showHelp(true),
          }}
        />
      </OnceOpened>
      <OnceOpened open={props.panels.help()} onClose={() => props.panels.showHelp(false)}>
        <ShortcutsDialog
          open={props.panels.help()}
          onClose={() => props.panels.showHelp(false)}
          shortcuts={shortcuts()}
          enabled={singleKeys.on()}
          onEnable={singleKeys.set}
        />
      </OnceOpened>
    </>
  );
}

interface OnceOpenedProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: JSX.Element;
}

/** Not there until it is first opened; then it stays, so that closing can give the focus back. */
function OnceOpened(props: OnceOpenedProps) {
  let opened = false;
  const wanted = () => {
    opened ||= props.open;
    return opened;
  };
  return (
    <Show when={wanted()}>
      <ErrorBoundary fallback={<MissingPanel open={props.open} onClose={props.onClose} />}>
        <Suspense>{props.children}</Suspense>
      </ErrorBoundary>
    </Show>
  );
}

/** Says why nothing opens, each time that it is asked for. */
function MissingPanel(props: { readonly open: boolean; readonly onClose: () => void }) {
  createEffect(() => {
    if (!props.open) return;
    props.onClose();
    toasts.show({ text: words.frame.panelMissing, tone: 'failure' });
  });
  return null;
}
