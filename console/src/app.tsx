import { Route, Router } from '@solidjs/router';
import { AdminOnly } from './components/frame/admin-only.tsx';
import { Frame } from './components/frame/frame.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { SignInPage } from './pages/sign-in-page.tsx';
import { lazyPart } from './state/lazy-part.ts';

const AskPage = lazyPart(async () => (await import('./pages/ask-page.tsx')).AskPage);
const RunsPage = lazyPart(async () => (await import('./pages/runs-page.tsx')).RunsPage);
const RunPage = lazyPart(async () => (await import('./pages/run-page.tsx')).RunPage);
const KnowledgePage = lazyPart(async () => (await import('./pages/knowledge-page.tsx')).KnowledgePage);
const SettingsPage = lazyPart(async () => (await import('./pages/settings-page.tsx')).SettingsPage);
const InboxPage = lazyPart(async () => (await import('./pages/inbox-page.tsx')).InboxPage);
const UsersPage = lazyPart(async () => (await import('./pages/users-page.tsx')).UsersPage);
const UserPage = lazyPart(async () => (await import('./pages/user-page.tsx')).UserPage);
const WhatIfPage = lazyPart(async () => (await import('./pages/what-if-page.tsx')).WhatIfPage);
const UsagePage = lazyPart(async () => (await import('./pages/usage-page.tsx')).UsagePage);
const LivePage = lazyPart(async () => (await import('./pages/live-page.tsx')).LivePage);
const RulesPage = lazyPart(async () => (await import('./pages/rules-page.tsx')).RulesPage);
const McpPage = lazyPart(async () => (await import('./pages/mcp-page.tsx')).McpPage);
const OrganisationPage = lazyPart(async () => (await import('./pages/organisation-page.tsx')).OrganisationPage);

export function App() {
  return (
    <Router>
      <Route path="/sign-in" component={SignInPage} />
      <Route component={Frame}>
        <Route path={['/', '/c/:conversationId']} component={AskPage} />
        <Route path="/runs" component={RunsPage} />
        <Route path="/runs/:id" component={RunPage} />
        <Route path="/knowledge/:section?/*path" component={KnowledgePage} />
        <Route path="/settings" component={SettingsPage} />
        <Route path="/inbox" component={InboxPage} />
        <Route path="/usage" component={() => <UsagePage />} />
        <Route path="/rules" component={() => <RulesPage />} />
        <Route path="/what-if" component={() => <WhatIfPage />} />
        <Route path="/admin" component={AdminOnly}>
          <Route path="/live" component={LivePage} />
          <Route path="/users" component={UsersPage} />
          <Route path="/users/:id" component={UserPage} />
          <Route path="/organisation" component={OrganisationPage} />
          <Route path="/mcp" component={McpPage} />
          <Route path="/usage" component={() => <UsagePage everyone />} />
          <Route path="/rules" component={() => <RulesPage everyone />} />
          <Route path="/what-if" component={() => <WhatIfPage everyone />} />
        </Route>
        <Route path="*" component={NotFoundPage} />
      </Route>
    </Router>
  );
}
