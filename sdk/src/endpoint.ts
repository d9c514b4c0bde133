/** Where the API answers: the same path for requests and for the WebSocket. */
export interface Endpoint {
  readonly http: string;
  readonly socket: string;
  /** Fit for messages: without a query string. */
  readonly label: string;
}

/** Accepts the server's address or its `/graphql` endpoint; in a browser also a path such as `/`. */
export function resolveEndpoint(address: string | URL): Endpoint {
  const page = typeof location === 'undefined' ? undefined : location.href;
  if (!URL.canParse(address, page)) throw new TypeError(`url must be an address such as http://localhost:4000`);
  const url = new URL(address, page);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError('url must begin with http or https');
  if (url.username || url.password) throw new TypeError('url must not carry a name or password: use token');

  url.hash = '';
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/graphql') ? path : `${path}/graphql`;
  const socket = new URL(url);
  socket.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return { http: url.href, socket: socket.href, label: `${url.origin}${url.pathname}` };
}
