import type { Locator, Page } from 'playwright-core';
import type { TestUser } from '../../api/test/kit/kit.ts';
import type { ConsoleKit } from './console-kit.ts';

/** The chat as a person uses it: by its labels, its buttons and its keys. */
export interface Chat {
  readonly page: Page;
  readonly field: Locator;
  readonly card: Locator;
  ask(question: string): Promise<void>;
  /** Waits for the card of the newest exchange. */
  ended(reason: string): Promise<Locator>;
  exchange(question: string): Locator;
}

export async function openChat(
  kit: ConsoleKit,
  person: TestUser,
  path = '/',
  options: Parameters<ConsoleKit['openAs']>[2] = {},
): Promise<Chat> {
  return chatOn(await kit.openAs(person, path, options));
}

export function chatOn(page: Page): Chat {
  const field = page.getByLabel('Your question');
  const card = page.locator('[data-ending]');
  return {
    page,
    field,
    card,
    async ask(question) {
      await field.fill(question);
      await field.press('Enter');
    },
    async ended(reason) {
      const last = page.locator(`article >> nth=-1 >> [data-ending=${reason}]`);
      await last.waitFor({ timeout: 30_000 });
      return last;
    },
    exchange: (question) => page.getByRole('article', { name: question, exact: true }),
  };
}

/** Chooses a model for the coming questions, as somebody who knows its name would. */
export async function useModel(chat: Chat, id: string): Promise<void> {
  await chat.ask(`/model ${id}`);
}

interface Asked {
  readonly conversationId: string;
  readonly runs: readonly { readonly id: string; readonly status: string; readonly conversationId: string }[];
}

/** The person's newest run, as the server knows it. */
export async function newestRun(person: Pick<TestUser, 'ask'>): Promise<Asked['runs'][number] | undefined> {
  const { runs } = await person.ask<{ runs: { edges: { node: Asked['runs'][number] }[] } }>(
    '{ runs(first: 1) { edges { node { id status conversationId } } } }',
  );
  return runs.edges[0]?.node;
}
