import { randomUUID } from 'node:crypto';
import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';

export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUID()),
    /** Always lower case, so that one address is one person. */
    email: p.string().unique(),
    name: p.string(),
    /** People look for a name without minding its capitals. */
    sortName: p.string().$type<Opt<string>>().generated('lower(name) stored'),
    role: p.enum(['USER', 'ADMIN'] as const).default('USER'),
    createdAt: p.datetime().onCreate(() => new Date()),
  },
});

export type User = InferEntity<typeof User>;
export type Role = User['role'];
