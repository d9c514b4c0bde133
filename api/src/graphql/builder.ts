import SchemaBuilder from '@pothos/core';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { forbidden, unauthenticated } from '../access/access-error.ts';
import type { OracleContext } from './context.ts';
import { DateTime, Json, type JsonValue } from './scalars.ts';

export const builder = new SchemaBuilder<{
  Context: OracleContext;
  DefaultFieldNullability: false;
  DefaultInputFieldRequiredness: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date | string };
    JSON: { Input: JsonValue; Output: unknown };
  };
  AuthScopes: { signedIn: boolean; admin: boolean };
}>({
  plugins: [ScopeAuthPlugin],
  defaultFieldNullability: false,
  scopeAuth: {
    authorizeOnSubscribe: true,
    authScopes: ({ viewer }) => ({ signedIn: viewer !== undefined, admin: viewer?.isAdmin ?? false }),
    unauthorizedError: (_parent, context) => (context.viewer ? forbidden() : unauthenticated()),
  },
});

builder.addScalarType('DateTime', DateTime);
builder.addScalarType('JSON', Json);

/** Everything needs a token: a root field that forgets to ask is closed, not open. */
builder.queryType({ description: 'What can be read.', authScopes: { signedIn: true } });
builder.mutationType({ description: 'What can be changed.', authScopes: { signedIn: true } });
builder.subscriptionType({ description: 'What can be followed live.', authScopes: { signedIn: true } });
