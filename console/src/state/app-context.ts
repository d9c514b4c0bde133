import { createContext, useContext } from 'solid-js';
import type { LiveConnection } from './live-connection.ts';
import type { Session, Viewer } from './session.ts';
import type { Theme } from './theme.ts';

export interface App {
  readonly session: Session;
  readonly live: LiveConnection;
  readonly theme: Theme;
}

export const AppContext = createContext<App>();

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error('useApp needs an AppContext above it.');
  return app;
}

export const ViewerContext = createContext<() => Viewer>();

/** The person signed in; only pages inside the frame have one. */
export function useViewer(): () => Viewer {
  const viewer = useContext(ViewerContext);
  if (!viewer) throw new Error('useViewer needs a ViewerContext above it.');
  return viewer;
}
