import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { TestUser } from '../../kit/kit.ts';
import { reply } from '../../kit/model-replies.ts';
import type { Chunk } from '../../oracle/kit/chunks.ts';
import { calling, type OracleKit, startOracleKit } from '../../oracle/kit/oracle-kit.ts';
import type { Told } from '../../oracle/kit/told.ts';
import { addApproved, remove, type ShownServer } from './mcp-kit.ts';

/** Runs with the tools of MCP servers. */
export interface McpRunKit extends OracleKit {
  /** A server with all its tools approved, for these people, until `clear`. */
  have(input: object, ...users: readonly TestUser[]): Promise<ShownServer>;
  /** One call, then an answer; with the tools that the model was offered. */
  call(who: TestUser, name: string, args: object): Promise<Called>;
  offeredTo(who: TestUser): Promise<readonly string[]>;
  clear(): Promise<void>;
}

interface Called {
  readonly told: Told;
  readonly offered: readonly string[];
  readonly result: Extract<Chunk, { readonly __typename: 'ToolResultChunk' }> | undefined;
  readonly heard: string | null | undefined;
}

/** A server for the tests of a file: somebody new asks in each of them, and its MCP servers are gone after it. */
export function useMcpRuns(onStart: (started: { readonly kit: McpRunKit; readonly user: TestUser }) => void): void {
  let kit: McpRunKit;
  beforeAll(async () => {
    kit = await startMcpRunKit();
  });
  beforeEach(async () => onStart({ kit, user: await kit.newUser() }));
  afterEach(() => kit.clear());
  afterAll(() => kit.stop());
}

async function startMcpRunKit(): Promise<McpRunKit> {
  const kit = await startOracleKit();
  let added: ShownServer[] = [];
  return {
    ...kit,
    async have(input, ...users) {
      const server = await addApproved(kit.admin, input, ...users);
      added.push(server);
      return server;
    },
    async call(who, name, args) {
      const script = kit.script(calling([{ id: 'it', name, arguments: args }]), reply.text('So be it.'));
      const told = await kit.ask(who);
      const [first, second] = script.requests();
      return {
        told,
        offered: first?.body.tools?.map((tool) => tool.function.name) ?? [],
        result: told.of('ToolResultChunk')[0],
        heard: second?.body.messages.find((message) => message.tool_call_id === 'it')?.content,
      };
    },
    async offeredTo(who) {
      const script = kit.script(reply.text('Nothing to look up.'));
      await kit.ask(who);
      return script.requests()[0]?.body.tools?.map((tool) => tool.function.name) ?? [];
    },
    async clear() {
      for (const { id } of added) await remove(kit.admin, id);
      added = [];
    },
  };
}
