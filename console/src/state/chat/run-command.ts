import { words } from '../../words.ts';
import type { Chat } from './chat.ts';
import type { Commanded } from './commands.ts';
import type { ExportFormat } from './export.ts';

/** What commands do to the page around the chat. */
export interface CommandPage {
  toggleTree(): void;
  openLimits(): void;
  export(format: ExportFormat): Promise<void>;
}

/** Does what was written; answers why it could not be done, or with nothing. */
export async function runCommand(
  { command, rest }: Commanded,
  chat: Chat,
  page: CommandPage,
): Promise<string | undefined> {
  const { conversation, options, actions } = chat;
  const id = conversation.id();
  const shown = conversation.path().at(-1);
  switch (command.name) {
    case 'new':
      return void chat.place.go(undefined);
    case 'stop': {
      const runId = chat.runningId();
      return runId === undefined ? words.commands.nothingRunning : void chat.stop(runId);
    }
    case 'continue':
    case 'answer': {
      const reason = shown && chat.followers.of(shown.runId).view().ending?.reason;
      const able = reason !== undefined && reason !== 'COMPLETED';
      return able && shown ? void chat.resume(command.name, shown) : words.commands.nothingToContinue;
    }
    case 'model': {
      const known = (await options.ready())?.models.find((model) => model.id === rest || model.title === rest);
      if (!known && !rest.includes('/')) return words.commands.unknownModel(rest);
      return void options.setModel(known?.id ?? rest);
    }
    case 'turns': {
      const field = (await options.ready())?.agentConfigFields.find(({ name }) => name === 'maxIterations');
      if (!field) return words.commands.unknownLimits;
      options.setLimit(field.name, rest);
      if (options.isValid(field) && rest !== '') return undefined;
      options.setLimit(field.name, '');
      const { min, max } = options.boundsOf(field);
      return words.commands.badTurns(min, max);
    }
    case 'rename':
      return id === undefined ? words.commands.noConversation : actions.rename(id, rest);
    case 'label':
      return id === undefined || !shown ? words.commands.noConversation : actions.label(id, shown.id, rest);
    case 'checkpoint':
      if (id === undefined || !shown) return words.commands.noConversation;
      return actions.checkpoint(id, shown.id, !shown.checkpoint);
    case 'tree':
      return void page.toggleTree();
    case 'export':
      if (id === undefined) return words.commands.noConversation;
      return void (await page.export(rest === 'json' ? 'json' : 'md'));
    case 'limits':
      return void page.openLimits();
  }
}
