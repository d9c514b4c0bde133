import type { Client, TestUser } from '../kit/kit.ts';
import { reply, type ScriptedUsage } from '../kit/model-replies.ts';
import type { ModelServerRequest, ScriptEntry } from '../kit/model-server.ts';
import type { Chunk } from '../oracle/kit/chunks.ts';
import { calling, type OracleKit, type Script } from '../oracle/kit/oracle-kit.ts';

/** The Librarian is asked under another name than the oracle, by the same scripted server. */
export const librarianModel = 'openai/librarian';
export const isLibrarian = ({ body }: ModelServerRequest) => body.model === 'librarian';

export interface TwoScripts {
  readonly librarian: () => readonly ModelServerRequest[];
  readonly oracle: () => readonly ModelServerRequest[];
  readonly script: Script;
}

/** What the oracle says, one entry a turn, and what the Librarian says to each request. */
export function scriptBoth(
  kit: OracleKit,
  oracle: readonly ScriptEntry[],
  librarian: readonly ScriptEntry[],
): TwoScripts {
  const waiting = { oracle: [...oracle], librarian: [...librarian] };
  const script = kit.script().always((request) => {
    const entry = waiting[isLibrarian(request) ? 'librarian' : 'oracle'].shift();
    return (typeof entry === 'function' ? entry(request) : entry) ?? reply.error(400, { message: 'Nothing is left.' });
  });
  return {
    script,
    librarian: () => script.requests().filter(isLibrarian),
    oracle: () => script.requests().filter((request) => !isLibrarian(request)),
  };
}

/** A search for the notes of `saveNotes`. */
export const searchFor = (limit: number, usage?: ScriptedUsage) =>
  calling([{ name: 'vault_search', arguments: { query: 'heron', limit } }], usage ? { usage } : {});

/** Somebody with so many notes that all fit a search for herons equally well. */
export async function personWithNotes(
  kit: OracleKit,
  count: number,
  subagentModel = librarianModel,
): Promise<TestUser> {
  const user = await kit.newUser();
  await prepare(user, count, subagentModel);
  return user;
}

export async function prepare(user: Client, count: number, subagentModel = librarianModel): Promise<void> {
  await user.ask('mutation ($input: UpdateModelSettingsInput!) { updateModelSettings(input: $input) { __typename } }', {
    input: { subagentModel },
  });
  for (let number = 1; number <= count; number += 1) {
    const two = String(number).padStart(2, '0');
    await user.ask('mutation ($input: SaveNoteInput!) { saveNote(input: $input) { __typename } }', {
      input: {
        path: `birds/bird-${two}.md`,
        body: `# Bird ${two}\n\nA heron was seen at pond ${two} in the morning.\n`,
      },
    });
  }
}

/** What was told about the sub-agent, in order. */
export function librarianSaid(chunks: readonly Chunk[]): readonly string[] {
  return chunks.flatMap((chunk) =>
    chunk.agent === 'librarian' && chunk.__typename === 'SystemChunk' ? [chunk.message] : [],
  );
}

/** Everything that is stored about a run, as one text. */
export async function storedText(kit: Pick<OracleKit, 'database'>, runId: string): Promise<string> {
  const rows = await kit.database.query<{ text: string }>(
    `select body as text from run_chunks where run_id = $1
     union all select concat(answer, tool_calls, sources, ending) from exchanges where id = (select node_id from runs where id = $1)
     union all select summary from summaries`,
    [runId],
  );
  return rows.map(({ text }) => text).join('\n');
}

interface SavedExchange {
  readonly toolCalls: readonly { readonly name: string; readonly result: { readonly summary?: string } }[];
  readonly sources: readonly { readonly path: string }[];
}

/** The newest of a conversation, as it is saved. */
export async function savedExchange(user: Client, conversationId: string): Promise<SavedExchange | undefined> {
  const { conversation } = await user.ask<{ conversation: { path: readonly SavedExchange[] } }>(
    'query ($id: ID!) { conversation(id: $id) { path { toolCalls { name result } sources { path } } } }',
    { id: conversationId },
  );
  return conversation.path.at(-1);
}
