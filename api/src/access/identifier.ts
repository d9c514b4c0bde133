const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An id that no row can have is answered like any other missing one, and never reaches the database. */
export function isIdentifier(id: string): boolean {
  return uuid.test(id);
}
