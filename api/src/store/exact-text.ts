import { Type } from '@mikro-orm/core';

const marker = '\u0001';

/**
 * Text as a PostgreSQL column can hold it. What people and models write may contain NUL and lone surrogates, which
 * text columns cannot: such text is kept as marked JSON, all other text as it is, so that SQL can read it.
 */
export function encodeText(text: string): string {
  const plain = !text.includes('\0') && text.isWellFormed() && !text.startsWith(marker);
  return plain ? text : marker + JSON.stringify(text);
}

export function decodeText(stored: string): string {
  return stored.startsWith(marker) ? JSON.parse(stored.slice(marker.length)) : stored;
}

/** A text column that gives back exactly what was put in. */
export class ExactText extends Type<string | null, string | null> {
  override convertToDatabaseValue(value: string | null): string | null {
    return value === null ? null : encodeText(value);
  }

  override convertToJSValue(value: string | null): string | null {
    return value === null ? null : decodeText(value);
  }

  override getColumnType(): string {
    return 'text';
  }
}

/** JSON in a text column, for values that jsonb would refuse. */
export class JsonText extends Type<unknown, string | null> {
  override convertToDatabaseValue(value: unknown): string | null {
    return value === null || value === undefined ? null : JSON.stringify(value);
  }

  override convertToJSValue(value: string | null): unknown {
    return typeof value === 'string' ? JSON.parse(value) : value;
  }

  override ensureComparable(): boolean {
    return false;
  }

  override getColumnType(): string {
    return 'text';
  }
}
