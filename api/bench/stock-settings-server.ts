/** What most people would build to read a person's settings: Yoga, and MikroORM for the token and for the settings. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSchema, createYoga } from 'graphql-yoga';
import { hashToken } from '../src/access/token-secret.ts';
import { AgentConfigSchema } from '../src/agent/config.ts';
import { openDatabase } from '../src/store/database.ts';
import { Organisation, theOrganisation } from '../src/store/entities/organisation.ts';
import { Token } from '../src/store/entities/token.ts';
import { UserSettings } from '../src/store/entities/user-settings.ts';
import { answerMeasurements } from './measured-process.ts';

const [databaseUrl = ''] = process.argv.slice(2);
const database = await openDatabase(databaseUrl);
type Em = ReturnType<typeof database.fork>;

const fields = Object.keys(AgentConfigSchema.shape);
const schema = createSchema<{ em: Em; token: Token | null }>({
  typeDefs: `type AgentConfig { ${fields.map((name) => `${name}: Int!`).join(' ')} version: Int! }
    type Query { agentConfig: AgentConfig! }`,
  resolvers: {
    Query: {
      async agentConfig(_root, _args, { em, token }) {
        if (!token) throw new Error('Not signed in.');
        const organisation = await em.findOneOrFail(Organisation, { id: theOrganisation });
        const own = await em.findOne(UserSettings, { userId: token.user.id });
        return {
          ...AgentConfigSchema.parse({ ...(organisation.agentDefaults as object), ...(own?.agentConfig as object) }),
          version: own?.agentConfigVersion ?? 1,
        };
      },
    },
  },
});
const yoga = createYoga({
  schema,
  logging: false,
  graphiql: false,
  context: async ({ request }: { readonly request: Request }) => {
    const em = database.fork();
    const secret = request.headers.get('authorization')?.slice('Bearer '.length) ?? '';
    return { em, token: await em.findOne(Token, { hash: hashToken(secret) }, { populate: ['user'] }) };
  },
});
const server = createServer(yoga);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  answerMeasurements(`http://127.0.0.1:${port}`);
});
