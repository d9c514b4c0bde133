import { words } from '../../words.ts';

const said = words.rules.effects;

/** What a rule did, in words. The server tells it as JSON; what is not known here is shown by its name. */
export function effectWords(effect: unknown): string {
  if (typeof effect !== 'object' || effect === null) return '';
  const { type, message, key, value, name, field, to, changed } = effect as Record<string, unknown>;
  switch (type) {
    case 'notify':
    case 'hint':
    case 'log':
      return said[type](String(message));
    case 'set_state':
      return said.set_state(String(key), JSON.stringify(value));
    case 'emit_event':
      return said.emit_event(String(name));
    case 'limit':
      return changed === false ? said.limitUnchanged(String(field)) : said.limit(String(field), String(to));
    default:
      return String(type);
  }
}
