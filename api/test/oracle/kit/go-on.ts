import { expect } from 'vitest';
import type { TestUser } from '../../kit/kit.ts';
import { reply } from '../../kit/model-replies.ts';
import type { OracleKit } from './oracle-kit.ts';
import type { Told } from './told.ts';

/** The conversation is not harmed: the next question in it is answered, and the model is told of the one before. */
export async function expectToGoOn(kit: OracleKit, user: TestUser, { conversationId }: Told): Promise<void> {
  const script = kit.script(reply.text('Back again.'));
  const next = await kit.ask(user, { conversationId, question: 'And now?' });

  expect(next).toMatchObject({ reason: 'COMPLETED', text: 'Back again.' });
  expect(script.requests()[0]?.body.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
}
