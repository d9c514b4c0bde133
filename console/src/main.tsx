import './style.css';
import { render } from 'solid-js/web';
import { App } from './app.tsx';
import { AppContext } from './state/app-context.ts';
import { makeGraphqlClient } from './state/graphql-client.ts';
import { createLiveConnection } from './state/live-connection.ts';
import { createSession } from './state/session.ts';
import { createTheme } from './state/theme.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element with the id "root".');

render(() => {
  const session = createSession(makeGraphqlClient);
  const live = createLiveConnection(session.end);
  const theme = createTheme();
  void session.load();
  return (
    <AppContext.Provider value={{ session, live, theme }}>
      <App />
    </AppContext.Provider>
  );
}, root);
