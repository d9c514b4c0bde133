import { words } from '../../words.ts';

export type CommandName =
  | 'new'
  | 'stop'
  | 'continue'
  | 'answer'
  | 'model'
  | 'turns'
  | 'rename'
  | 'label'
  | 'checkpoint'
  | 'tree'
  | 'export'
  | 'limits';

export interface Command {
  readonly name: CommandName;
  readonly help: string;
  /** Whether something is written after it. */
  readonly takes: boolean;
}

/** What can be done by writing it. */
export const commands: readonly Command[] = [
  { name: 'new', help: words.commands.new, takes: false },
  { name: 'stop', help: words.commands.stop, takes: false },
  { name: 'continue', help: words.commands.continue, takes: false },
  { name: 'answer', help: words.commands.answer, takes: false },
  { name: 'model', help: words.commands.model, takes: true },
  { name: 'turns', help: words.commands.turns, takes: true },
  { name: 'rename', help: words.commands.rename, takes: true },
  { name: 'label', help: words.commands.label_, takes: true },
  { name: 'checkpoint', help: words.commands.checkpoint, takes: false },
  { name: 'tree', help: words.commands.tree, takes: false },
  { name: 'export', help: words.commands.export, takes: true },
  { name: 'limits', help: words.commands.limits, takes: false },
];

export interface Commanded {
  readonly command: Command;
  readonly rest: string;
}

/** A command and what follows it. Anything else that begins with a slash is a question, such as one about /etc/hosts. */
export function readCommand(text: string): Commanded | undefined {
  const match = /^\/([a-z]+)(?:[ \t]+(.*))?$/s.exec(text.trim());
  const command = match && commands.find(({ name }) => name === match[1]);
  return command ? { command, rest: match[2]?.trim() ?? '' } : undefined;
}

/** What may be meant by what is written so far; nothing once it is more than a command's name. */
export function suggestCommands(text: string): readonly Command[] {
  const match = /^\/([a-z]*)$/.exec(text);
  return match ? commands.filter(({ name }) => name.startsWith(match[1] ?? '')) : [];
}
