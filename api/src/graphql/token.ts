import type { IssuedToken } from '../access/tokens.ts';
import type { Token } from '../store/entities/token.ts';
import { builder } from './builder.ts';
import { viewerOf } from './context.ts';
import { userIdDescription } from './personal-settings.ts';
import { invalid, invalidTypes } from './problem.ts';
import { existingSubject } from './subject.ts';

const TokenStatus = builder.enumType('TokenStatus', {
  description: 'Whether a token still opens the door.',
  values: {
    ACTIVE: { description: 'It does.' },
    EXPIRED: { description: 'Its time has passed.' },
    REVOKED: { description: 'Somebody ended it.' },
  },
});

export const AccessToken = builder.objectRef<Token>('AccessToken').implement({
  description: 'A token by which a person or a program signs in. The token itself is not kept.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id by which it is revoked.' }),
    name: t.exposeString('name', { description: 'What it is for.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was issued.' }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it ends by itself; null: never.',
      resolve: ({ expiresAt }) => expiresAt ?? null,
    }),
    lastUsedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to the minute; null: never.',
      resolve: ({ lastUsedAt }) => lastUsedAt ?? null,
    }),
    revokedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was revoked; null: it was not.',
      resolve: ({ revokedAt }) => revokedAt ?? null,
    }),
    status: t.field({
      type: TokenStatus,
      description: 'Whether it still opens the door.',
      resolve: ({ revokedAt, expiresAt }) =>
        revokedAt ? 'REVOKED' : expiresAt && expiresAt.getTime() <= Date.now() ? 'EXPIRED' : 'ACTIVE',
    }),
    current: t.boolean({
      description: 'Whether this very request was made with it.',
      resolve: ({ id }, _args, context) => context.viewer?.tokenId === id,
    }),
  }),
});

const IssuedTokenType = builder.objectRef<IssuedToken>('IssuedToken').implement({
  description: 'Shown once; only its hash is kept.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id by which it is revoked.' }),
    token: t.exposeString('token', { description: 'The token itself: send it as `Authorization: Bearer …`.' }),
    name: t.exposeString('name', { description: 'What it is for.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'When it ends by itself.' }),
  }),
});

const IssueTokenResult = builder.unionType('IssueTokenResult', {
  description: 'The new token, or why there is none.',
  types: [IssuedTokenType, invalidTypes.InvalidInput],
  resolveType: (value) => ('problems' in value ? 'InvalidInput' : 'IssuedToken'),
});

const IssueTokenInput = builder.inputType('IssueTokenInput', {
  description: "`userId` is for administrators; without it, the caller's own. Without `expiresInSeconds`, 90 days.",
  fields: (t) => ({
    userId: t.id({ description: userIdDescription }),
    name: t.string({ required: true, description: 'What it is for, 1 to 100 characters.' }),
    expiresInSeconds: t.int({ description: 'How long it lives, up to ten years; without it, 90 days.' }),
  }),
});

builder.mutationFields((t) => ({
  issueToken: t.field({
    type: IssueTokenResult,
    description: 'Makes a token for a person. It is shown this once.',
    args: { input: t.arg({ type: IssueTokenInput, required: true, description: 'For whom and for how long.' }) },
    resolve: async (_root, { input }, context) => {
      const userId = await existingSubject(context, input.userId);
      const { name, expiresInSeconds } = input;
      const issued = await context.tokens.issue(userId, { name, expiresInSeconds: expiresInSeconds ?? undefined });
      return 'token' in issued ? issued : invalid(issued);
    },
  }),
  revokeToken: t.boolean({
    description: 'Ends a token at once. True when this call ended it; false when it had been revoked already.',
    args: { id: t.arg.id({ required: true, description: 'Which token.' }) },
    resolve: (_root, { id }, context) => context.tokens.revoke(viewerOf(context), id),
  }),
}));
