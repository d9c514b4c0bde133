import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ConsoleKit } from './console-kit.ts';

export const editor = (page: Page) => page.getByRole('textbox', { name: 'Text of the rule, in TOML' });

/** Types a whole new text, as a person who pastes it. */
export async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

export const ruleText = (id: string) =>
  `id = "${id}"\nname = "A rule: ${id}"\ntrigger = "TURN_START"\n[action.log]\nmessage = "x"\n`;

/** As another administrator would, in another window. */
export async function saveRule(kit: ConsoleKit, id: string, more = ''): Promise<void> {
  const answer = await kit.admin.ask<{ saveRule: { __typename: string } }>(
    'mutation ($input: SaveRuleInput!) { saveRule(input: $input) { __typename } }',
    { input: { text: `${ruleText(id)}${more}`, ...(more === '' ? {} : { id }) } },
  );
  expect(answer.saveRule.__typename).toBe('Rule');
}

export const textOf = async (kit: ConsoleKit, id: string) =>
  (await kit.admin.ask<{ rule: { text: string } | null }>('query ($id: String!) { rule(id: $id) { text } }', { id }))
    .rule?.text;
