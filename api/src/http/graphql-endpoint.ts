import { EnvelopArmorPlugin } from '@escape.tech/graphql-armor';
import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import { type CredentialSource, findToken } from '../access/credentials.ts';
import type { SignIn } from '../access/sign-in.ts';
import type { TokenWatch } from '../access/token-watch.ts';
import type { OracleContext, Services } from '../graphql/context.ts';
import { schema } from '../graphql/schema.ts';
import type { Logger } from '../logger.ts';
import { closeForTheGone } from './close-for-the-gone.ts';
import { deliverDirectly } from './direct-delivery.ts';
import { endWithToken } from './end-with-token.ts';
import { createErrorMask } from './error-mask.ts';

/** What the WebSocket server hands over in place of an HTTP request. */
export interface SocketContext {
  readonly credentials?: CredentialSource;
}

export type GraphqlEndpoint = YogaServerInstance<SocketContext, OracleContext>;

export interface EndpointOptions {
  readonly signIn: SignIn;
  readonly services: Services;
  readonly tokenWatch: TokenWatch;
  readonly log: Logger;
}

/** One schema, one context, one set of limits and one mask for errors, whichever way a request comes in. */
export function createGraphqlEndpoint({ signIn, services, tokenWatch, log }: EndpointOptions): GraphqlEndpoint {
  const maskError = createErrorMask(log);
  return createYoga<SocketContext, OracleContext>({
    schema,
    graphqlEndpoint: '/graphql',
    graphiql: false,
    landingPage: false,
    // Tokens may come from any origin; the console's cookie counts only from this one (see `findToken`).
    cors: { origin: '*', credentials: false },
    logging: false,
    maxRequestBodySize: false, // nothing comes in here whose length is not known and small
    maskedErrors: { maskError },
    async context(own) {
      const viewer = await signIn.authenticate(findToken(own.credentials ?? credentialsOf(own.request)));
      // All requests share the services: a copy in each would be most of what a subscription that waits takes.
      Object.setPrototypeOf(own, services);
      return { viewer } as OracleContext;
    },
    plugins: [
      EnvelopArmorPlugin({
        maxDepth: { n: 12 },
        maxAliases: { n: 30 },
        maxDirectives: { n: 50 },
        maxTokens: { n: 4_000 },
        costLimit: { maxCost: 40_000 }, // a thousand exchanges with what a tree is drawn from
        blockFieldSuggestion: { enabled: false },
      }),
      deliverDirectly(maskError),
      endWithToken(tokenWatch),
      closeForTheGone(),
    ],
  });
}

function credentialsOf({ headers }: Request): CredentialSource {
  return {
    authorization: headers.get('authorization'),
    cookie: headers.get('cookie'),
    origin: headers.get('origin'),
    host: headers.get('host'),
  };
}
