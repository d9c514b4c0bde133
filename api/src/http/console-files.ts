import { existsSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import sirv from 'sirv';
import { sendJson } from './send-json.ts';

/** Own files only. Styles may be set on elements, as every library that positions something does; sheets may not come from elsewhere. */
const consolePolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'; connect-src 'self'; object-src 'none'; " +
  "frame-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/** GraphiQL carries its scripts and styles within the page; it may load nothing from elsewhere either. */
const graphiqlPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; " +
  "font-src 'self' data:; img-src 'self' data:; connect-src 'self' ws: wss:; worker-src 'self' blob:; frame-ancestors 'none'";

/** The built console; every path that is no file is one of its pages. */
export function serveConsole(folder: string): RequestListener {
  if (!existsSync(folder)) {
    return (_request, response) => sendJson(response, 404, { message: 'The console is not built: run npm run build.' });
  }
  const serve = sirv(folder, {
    single: true,
    etag: true,
    setHeaders: (response, path) => {
      protect(response, consolePolicy);
      response.setHeader(
        'cache-control',
        path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
  return (request, response) => {
    // Its addresses end like files, because they name some; to the browser they are one page all the same.
    if (request.url?.startsWith('/knowledge/')) request.url = '/';
    serve(request, response, () => sendJson(response, 404, { message: 'There is no such page.' }));
  };
}

/** Made when it is asked for: loading the page's insides would take up a good part of the server's start. */
export function serveGraphiql(endpoint: string): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  let page: Promise<string> | undefined;
  return async (_request, response) => {
    page ??= graphiqlPage(endpoint);
    const html = await page;
    protect(response, graphiqlPolicy);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }).end(html);
  };
}

async function graphiqlPage(endpoint: string): Promise<string> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  return renderGraphiQL({
    endpoint,
    title: 'Oracle Agent GraphiQL',
    subscriptionsProtocol: 'WS',
    credentials: 'same-origin',
    headers: '{\n  "authorization": "Bearer "\n}',
    defaultQuery:
      '# Sign in to the console, or put a token into the headers below.\n{\n  viewer {\n    name\n    agentConfig {\n      maxIterations\n    }\n  }\n}\n',
  });
}

function protect(response: ServerResponse, policy: string): void {
  response.setHeader('content-security-policy', policy);
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'same-origin');
}
