import type { Context } from '#platform/context.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { Actor, Person } from '#platform/http/authentication/actor.ts';
import { minute } from '#platform/time/intervals.ts';
import { findSession } from '../sessions/session-store.ts';
import { confirmationRequired } from '../store/lock-session.ts';

/** Milliseconds for which sensitive changes are possible after a sign-in or a confirmation. */
const confirmationLifetime = 10 * minute;

/** A person with a session. */
export interface SessionPerson extends Person {
  readonly sessionId: number;
}

/** Returns the person of a request. */
export function personOf({ person }: Actor): Person {
  if (person === undefined) throw new Error('the operation needs the permission signed-in');
  return person;
}

/** Returns the person of a request with a session. Throws `session_required` for a token. */
export function requireSession(actor: Actor): SessionPerson {
  const person = personOf(actor);
  const { sessionId } = person;
  if (sessionId === undefined) throw new ApiError('session_required');
  return { ...person, sessionId };
}

/**
 * Returns the person of a request who has signed in, or has confirmed it, within ten minutes. So
 * a browser that was left open cannot be used to take over the user. Throws
 * `confirmation_required`, and `session_required` for a token.
 */
export async function requireRecentSignIn(
  { db, now }: Pick<Context, 'db' | 'now'>,
  actor: Actor,
): Promise<SessionPerson> {
  const person = requireSession(actor);
  const session = await findSession(db, person.userId, person.sessionId);
  const since = now().getTime() - confirmationLifetime;
  if (session === undefined || session.authenticated_at.getTime() <= since) {
    throw confirmationRequired();
  }
  return person;
}
