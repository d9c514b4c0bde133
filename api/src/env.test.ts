import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { EnvironmentError, environmentNames, readEnvironment } from './env.ts';

const defaults = {
  PORT: 4000,
  HOST: '127.0.0.1',
  ORACLE_DATA_DIR: '.oracle',
  ORACLE_MODEL: 'offline',
  ORACLE_LOG_LEVEL: 'info',
  NODE_ENV: 'production',
};

function problemsOf(variables: Record<string, string>): readonly string[] {
  try {
    readEnvironment(variables);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.problems;
    throw error;
  }
  return [];
}

describe('readEnvironment', () => {
  it('needs nothing: every variable has a default or may be absent', () => {
    expect(readEnvironment({})).toEqual(defaults);
  });

  it('takes an empty variable for an absent one', () => {
    const names = [...Object.keys(defaults), 'DATABASE_URL', 'ORACLE_ADMIN_TOKEN', 'ORACLE_OPENAI_BASE_URL'];

    expect(readEnvironment(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(defaults);
  });

  it('keeps what is set and passes over what is not its own', () => {
    const set = {
      HOST: '0.0.0.0',
      DATABASE_URL: 'postgresql://me:secret@db.example.com:5432/oracle?sslmode=require',
      ORACLE_DATA_DIR: '/var/lib/oracle',
      ORACLE_ADMIN_TOKEN: 'a-token',
      ORACLE_MODEL: 'openrouter/vendor/name:free',
      ORACLE_LOG_LEVEL: 'debug',
      OPENROUTER_API_KEY: 'key-1',
      ANTHROPIC_API_KEY: 'key-2',
      ORACLE_OPENAI_BASE_URL: 'http://localhost:11434/v1',
      ORACLE_OPENAI_API_KEY: 'key-3',
      NODE_ENV: 'development',
    };

    expect(readEnvironment({ ...set, PORT: '0', PATH: '/bin', HOME: undefined })).toEqual({ ...set, PORT: 0 });
  });

  it('reports all problems together, each in a sentence that names its variable', () => {
    const problems = problemsOf({
      PORT: 'eighty',
      DATABASE_URL: 'mysql://db/oracle',
      ORACLE_ADMIN_TOKEN: 'two words',
      ORACLE_MODEL: 'my model',
      ORACLE_LOG_LEVEL: 'loud',
      ORACLE_OPENAI_BASE_URL: 'localhost:11434',
    });

    expect(problems).toEqual([
      'PORT must be a port number from 0 to 65535.',
      expect.stringMatching(
        /^DATABASE_URL must be a PostgreSQL address, such as postgres:\/\/user:password@host:5432\/name,/,
      ),
      'ORACLE_ADMIN_TOKEN must be at most 500 printable characters without spaces.',
      'ORACLE_MODEL must be a model name, such as offline or openrouter/vendor/name.',
      'ORACLE_LOG_LEVEL must be trace, debug, info, warn, error or silent.',
      'ORACLE_OPENAI_BASE_URL must be an http:// or https:// address.',
    ]);
    expect(new EnvironmentError(problems).message.split('\n')).toHaveLength(1 + problems.length);
  });

  it.each([
    'postgres://me:secret@db.example.com',
    'postgres://me:secret@db.example.com/',
    'postgres://me:secret@db.example.com:99999/oracle',
    'postgres://me:a#b@db.example.com/oracle',
    'postgres://me:a/b@db.example.com/oracle',
  ])('refuses %j as a database', (DATABASE_URL) => {
    expect(problemsOf({ DATABASE_URL })).toEqual([expect.stringMatching(/^DATABASE_URL .* with %23, %2F and %3F/)]);
  });

  it.each([
    'postgres://me:a%23b@db.example.com/oracle',
    'postgresql://me@[::1]:5432/oracle?sslmode=require&options=a/b',
    'postgres:///oracle',
    'postgres://me:secret@/oracle?host=/var/run/postgresql',
  ])('takes %j for a database', (DATABASE_URL) => {
    expect(readEnvironment({ DATABASE_URL })).toMatchObject({ DATABASE_URL });
  });

  it.each(['two\nlines', 'a space', 'zero\u200bwidth'])('refuses %j as a key, which no request could carry', (key) => {
    const problem = 'must be printable characters without spaces.';
    const names = ['OPENROUTER_API_KEY', 'ANTHROPIC_API_KEY', 'ORACLE_OPENAI_API_KEY'];

    expect(problemsOf(Object.fromEntries(names.map((name) => [name, key])))).toEqual(
      names.map((name) => `${name} ${problem}`),
    );
  });

  it.each(['-1', '65536', '99999', '4000.5', '0x50', ' 80', 'NaN', '1e3'])('refuses %j as a port', (PORT) => {
    expect(problemsOf({ PORT })).toEqual(['PORT must be a port number from 0 to 65535.']);
  });

  it('never repeats a value: it may be a secret', () => {
    const secret = 'hunter2-very-secret';
    const variables = Object.fromEntries(
      ['PORT', 'DATABASE_URL', 'ORACLE_ADMIN_TOKEN', 'ORACLE_MODEL', 'ORACLE_LOG_LEVEL', 'ORACLE_OPENAI_BASE_URL'].map(
        (name) => [name, `${secret} \u0007`],
      ),
    );

    expect(problemsOf(variables)).toHaveLength(6);
    expect(problemsOf(variables).join('\n')).not.toContain('hunter2');
  });
});

describe('.env.example', () => {
  const file = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
  const example = parseEnv(file('.env.example'));
  const composed = [...file('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);

  it('names every variable of the server and of docker compose, and no other', () => {
    expect(Object.keys(example).toSorted()).toEqual([...new Set([...environmentNames, ...composed])].toSorted());
  });

  it('shows the defaults', () => {
    expect(readEnvironment(example)).toEqual(defaults);
  });
});
