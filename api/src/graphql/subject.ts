import { notFound } from '../access/access-error.ts';
import { type OracleContext, viewerOf } from './context.ts';

/** The id of the person a query is about, once it is known that the caller may ask and that they exist. */
export async function existingSubject(context: OracleContext, userId: string | null | undefined): Promise<string> {
  const viewer = viewerOf(context);
  const subject = viewer.subject(userId);
  if (subject === viewer.userId) return subject; // their token was just looked up
  const user = await context.people.find(subject);
  if (!user) throw notFound('user');
  return user.id;
}
