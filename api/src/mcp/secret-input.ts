/** A secret by its name. Without a value, the one that is stored stays. */
export interface SecretInput {
  readonly name: string;
  readonly value?: string | null | undefined;
}

const secretRules = {
  environment: {
    name: /^[A-Za-z_][A-Za-z0-9_]{0,199}$/,
    nameRule: 'must be letters, digits and _',
    value: /^[^\0]{0,32000}$/u,
    valueRule: 'must be at most 32,000 characters without NUL',
    taken: new Set<string>(),
  },
  headers: {
    name: /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/,
    nameRule: 'must be a header name',
    value: /^[\t\x20-\x7e]{1,8000}$/,
    valueRule: 'must be 1 to 8,000 printable ASCII characters',
    taken: new Set(['accept', 'connection', 'content-length', 'content-type', 'host', 'transfer-encoding']),
  },
} as const;

/** All that are listed; those without a value keep the one they had. */
export function secretsOf(
  field: 'environment' | 'headers',
  stored: Readonly<Record<string, string>>,
  input: readonly SecretInput[] | null | undefined,
  report: (field: string, message: string) => void,
): Readonly<Record<string, string>> {
  if (!input) return stored;
  const rules = secretRules[field];
  if (input.length > 100) report(field, 'There may be at most 100.');
  const secrets: Record<string, string> = {};
  const seen = new Set<string>();
  for (const [index, { name, value }] of input.slice(0, 100).entries()) {
    const spelling = field === 'headers' ? name.toLowerCase() : name;
    const kept = Object.hasOwn(stored, name) ? stored[name] : undefined;
    const secret = value ?? kept;
    if (!rules.name.test(name)) report(`${field}.${index}.name`, `The name ${rules.nameRule}.`);
    else if (rules.taken.has(spelling) || (field === 'headers' && spelling.startsWith('mcp-')))
      report(`${field}.${index}.name`, `${name} is set by the protocol.`);
    else if (seen.has(spelling)) report(`${field}.${index}.name`, `${name} is listed twice.`);
    else if (secret === undefined) report(`${field}.${index}.value`, `The value of ${name} is missing.`);
    else if (!rules.value.test(secret) || !secret.isWellFormed())
      report(`${field}.${index}.value`, `The value of ${name} ${rules.valueRule}.`);
    else secrets[name] = secret;
    seen.add(spelling);
  }
  return secrets;
}
