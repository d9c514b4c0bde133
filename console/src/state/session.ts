import { type UserSummaryFragment, ViewerDocument } from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createSignal } from 'solid-js';
import { words } from '../words.ts';
import { forgetChat } from './chat/drafts.ts';
import { query } from './graphql-client.ts';

export type Viewer = Pick<UserSummaryFragment, 'id' | 'name' | 'email' | 'role'>;

export type SessionState =
  | { readonly type: 'loading' }
  | { readonly type: 'signed-in'; readonly viewer: Viewer }
  | { readonly type: 'signed-out'; readonly reason: 'never' | 'ended' | 'left' }
  | { readonly type: 'failed'; readonly message: string };

export type SignInOutcome = { readonly type: 'signed-in' } | { readonly type: 'refused'; readonly message: string };

export type Session = ReturnType<typeof createSession>;

/** Who is signed in. The token goes to the server once and comes back as a cookie that no script can read. */
export function createSession(makeClient: (onUnauthenticated: () => void) => Client) {
  const [state, setState] = createSignal<SessionState>({ type: 'loading' });
  const client = makeClient(end);

  /** Called whenever the server no longer knows the session. */
  function end() {
    setState((now) => {
      if (now.type === 'signed-out') return now;
      return { type: 'signed-out', reason: now.type === 'signed-in' ? 'ended' : 'never' };
    });
  }

  async function load(): Promise<void> {
    const answer = await query(client, ViewerDocument, {});
    if (answer.type === 'data') setState({ type: 'signed-in', viewer: answer.data.viewer });
    else if (state().type !== 'signed-out') setState({ type: 'failed', message: answer.message });
  }

  async function signIn(token: string): Promise<SignInOutcome> {
    const response = await fetch('/session', {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    }).catch(() => undefined);
    if (!response) return { type: 'refused', message: words.frame.signIn.unreachable };
    if (!response.ok) return { type: 'refused', message: await refusalOf(response) };
    setState({ type: 'loading' });
    await load();
    const now = state();
    return now.type === 'signed-in'
      ? { type: 'signed-in' }
      : { type: 'refused', message: now.type === 'failed' ? now.message : words.frame.signIn.notKept };
  }

  /** True once the server has forgotten the session; until then the person is still signed in. */
  async function signOut(): Promise<boolean> {
    const response = await fetch('/session', { method: 'DELETE', credentials: 'same-origin' }).catch(() => undefined);
    if (!response?.ok && response?.status !== 401) return false;
    forgetChat();
    setState({ type: 'signed-out', reason: 'left' });
    return true;
  }

  return { state, client, load, signIn, signOut, end };
}

async function refusalOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  if (typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string') {
    return body.message;
  }
  return response.status === 401 ? words.frame.signIn.invalid : words.frame.signIn.refused;
}

/** Where to go after signing in: only a path of this console, whatever a link may say. */
export function safeReturnPath(from: string | undefined): string {
  if (!from?.startsWith('/') || from.startsWith('//') || from.includes('\\')) return '/';
  return from.startsWith('/sign-in') ? '/' : from;
}
