import { z } from 'zod';

/** Empty means absent: `DATABASE_URL=` in a file is how people switch a setting off. */
const optional = <T extends z.ZodType>(type: T) => z.preprocess((value) => (value === '' ? undefined : value), type);

/** As the driver reads it, for whom an address may lack its host; the name is needed. */
const isDatabaseAddress = (url: string) =>
  /^postgres(ql)?:\/\/\S*\/[^\s?/]+(\?\S*)?$/.test(url) && URL.canParse(url.replace('@/', '@localhost/'));

/** What comes into the header of a request; most that cannot was lost or gained in copying. */
const key = z.string().regex(/^[\x21-\x7e]+$/, { error: 'must be printable characters without spaces' });

const httpAddress = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' });

const EnvironmentSchema = z.object({
  PORT: optional(
    z
      .string()
      .regex(/^\d{1,5}$/, { error: 'must be a port number from 0 to 65535' })
      .transform(Number)
      .refine((port) => port <= 65_535, { error: 'must be a port number from 0 to 65535' })
      .default(4000),
  ),
  HOST: optional(z.string().default('127.0.0.1')),
  DATABASE_URL: optional(
    z
      .string()
      .refine(isDatabaseAddress, {
        error:
          'must be a PostgreSQL address, such as postgres://user:password@host:5432/name, with %23, %2F and %3F for #, / and ? in a password',
      })
      .optional(),
  ),
  ORACLE_DATA_DIR: optional(z.string().default('.oracle')),
  /** For a server that runs as root: where PostgreSQL goes when its own user cannot reach it where it is. */
  ORACLE_STAGING_DIR: optional(z.string().optional()),
  ORACLE_ADMIN_TOKEN: optional(
    z
      .string()
      .regex(/^[\x21-\x7e]{1,500}$/, { error: 'must be at most 500 printable characters without spaces' })
      .optional(),
  ),
  ORACLE_MODEL: optional(
    z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/, { error: 'must be a model name, such as offline or openrouter/vendor/name' })
      .default('offline'),
  ),
  ORACLE_LOG_LEVEL: optional(
    z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
        error: 'must be trace, debug, info, warn, error or silent',
      })
      .default('info'),
  ),
  NODE_ENV: optional(z.string().default('production')),
  OPENROUTER_API_KEY: optional(key.optional()),
  ANTHROPIC_API_KEY: optional(key.optional()),
  ORACLE_OPENAI_BASE_URL: optional(httpAddress.optional()),
  ORACLE_OPENAI_API_KEY: optional(key.optional()),
});

/** Every variable that is read; .env.example tells of each. */
export const environmentNames: readonly string[] = Object.keys(EnvironmentSchema.shape);

export type Environment = z.output<typeof EnvironmentSchema>;

export class EnvironmentError extends Error {
  override name = 'EnvironmentError';
  constructor(readonly problems: readonly string[]) {
    super(
      ['The settings in the environment are not usable:', ...problems.map((problem) => `  - ${problem}`)].join('\n'),
    );
  }
}

/** Reads every variable once and reports all problems together. Values are left out: they may be secrets. */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const result = EnvironmentSchema.safeParse(variables);
  if (result.success) return result.data;
  throw new EnvironmentError(result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`));
}
