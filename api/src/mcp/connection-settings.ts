import { canonicalJson } from '../agent/json.ts';
import type { McpServer } from '../store/entities/mcp-server.ts';

/** What it takes to reach a server. */
export type ConnectionSettings = Pick<
  McpServer,
  'id' | 'name' | 'version' | 'transport' | 'command' | 'args' | 'environment' | 'url' | 'headers'
>;

/** Equal for settings that lead to the same connection, so that other changes leave it alone. */
export function connectionKey({ transport, command, args, environment, url, headers }: ConnectionSettings): string {
  return canonicalJson({
    transport,
    command: command ?? null,
    args,
    environment,
    url: url ?? null,
    headers,
  });
}

/** Shorter values would blot out ordinary words. */
const shortestSecret = 4;
const longestText = 500;

/** Makes text from a server fit to be shown and logged: short, and without the secrets that were given to it. */
export function cleaner({ environment, headers }: ConnectionSettings): (text: string) => string {
  const secrets = [...Object.values(environment), ...Object.values(headers)]
    .flatMap((value) => [value, value.replace(/^\w+ /, '')]) // a header's scheme may be left out
    .filter((value) => value.length >= shortestSecret)
    .toSorted((one, other) => other.length - one.length);
  return (text) => {
    const hidden = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
    const plain = hidden.replaceAll(/\p{Cc}+/gu, ' ').trim();
    return (plain.length <= longestText ? plain : `${plain.slice(0, longestText - 1)}…`).toWellFormed();
  };
}
