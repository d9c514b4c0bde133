import type { Role } from '../store/entities/user.ts';
import { forbidden, notFound } from './access-error.ts';

/** Who is asking, and what they may reach. */
export class Viewer {
  constructor(
    readonly userId: string,
    readonly role: Role,
    readonly tokenId: string,
    readonly tokenExpiresAt: Date | null,
  ) {}

  get isAdmin(): boolean {
    return this.role === 'ADMIN';
  }

  mayReach(userId: string): boolean {
    return this.isAdmin || userId.toLowerCase() === this.userId;
  }

  assertAdmin(): void {
    if (!this.isAdmin) throw forbidden();
  }

  /** The person a request is about: the one named, or the caller. A foreign id answers as a missing one. */
  subject(userId: string | null | undefined): string {
    const subject = userId ?? this.userId;
    if (!this.mayReach(subject)) throw notFound('user');
    return subject.toLowerCase();
  }
}
