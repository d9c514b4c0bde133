import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { isSameOrigin, sessionCookie } from '../access/credentials.ts';
import type { SignIn } from '../access/sign-in.ts';
import { sendJson } from './send-json.ts';

const SignInSchema = z.object({ token: z.string().min(1).max(1_000) });
const largestBody = 4_096;
const longestSession = 400 * 24 * 60 * 60;

/**
 * Sign-in for the console: the token moves into a cookie that no script can read and no other site can send.
 * POST signs in, DELETE signs out.
 */
export async function serveSession(request: IncomingMessage, response: ServerResponse, people: SignIn): Promise<void> {
  const { origin, host } = request.headers;
  if (!isSameOrigin({ origin, host })) return sendJson(response, 403, { message: 'Sign in from the console itself.' });
  switch (request.method) {
    case 'POST':
      return signIn(request, response, people);
    case 'DELETE':
      response.setHeader('set-cookie', cookie(request, '', 0));
      response.writeHead(204).end();
      return;
    default:
      response.setHeader('allow', 'POST, DELETE');
      return sendJson(response, 405, { message: 'Use POST to sign in and DELETE to sign out.' });
  }
}

async function signIn(request: IncomingMessage, response: ServerResponse, people: SignIn): Promise<void> {
  // A form on another site can send neither this content type nor, thanks to SameSite, the cookie.
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return sendJson(response, 415, { message: 'Send the token as JSON.' });
  }
  const parsed = SignInSchema.safeParse(await readJson(request));
  if (!parsed.success) return sendJson(response, 400, { message: 'Send JSON of the form {"token": "…"}.' });
  const token = parsed.data.token.trim();
  const viewer = await people.authenticate(token);
  if (!viewer) return sendJson(response, 401, { message: 'This token is not known here, has expired or was revoked.' });
  const left = viewer.tokenExpiresAt
    ? Math.floor((viewer.tokenExpiresAt.getTime() - Date.now()) / 1_000)
    : longestSession;
  response.setHeader('set-cookie', cookie(request, encodeURIComponent(token), Math.min(left, longestSession)));
  response.writeHead(204).end();
}

function cookie(request: IncomingMessage, value: string, maxAge: number): string {
  const encrypted = String(request.headers['x-forwarded-proto'] ?? '').startsWith('https');
  const attributes = [`${sessionCookie}=${value}`, 'Path=/', `Max-Age=${maxAge}`, 'HttpOnly', 'SameSite=Strict'];
  return [...attributes, ...(encrypted ? ['Secure'] : [])].join('; ');
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > largestBody) return undefined;
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return undefined;
  }
}
