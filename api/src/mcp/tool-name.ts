/** A server's name and a tool's together fit the 64 characters that every provider takes. */
export const longestServerName = 20;
const longestLocalName = 43;

/**
 * What models call a tool, behind the name of its server: lower case letters, digits and _. Names that become the same
 * are numbered, past those that are taken.
 */
export function localNameFor(name: string, taken: ReadonlySet<string>): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  const plain = (words || 'tool').slice(0, longestLocalName);
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : `_${number}`;
    const candidate = plain.slice(0, longestLocalName - ending.length) + ending;
    if (!taken.has(candidate)) return candidate;
  }
}

export function toolNameOf(serverName: string, localName: string): string {
  return `${serverName}_${localName}`;
}
