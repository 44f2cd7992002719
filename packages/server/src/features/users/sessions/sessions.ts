import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { SignInMethod } from '#platform/database/schema/tables/access.ts';
import { hour } from '#platform/time/intervals.ts';
import { hashSecret, newSecret } from '../secrets/secret.ts';
import { clearCookie, readCookie, setCookie, type CookieRequest } from './cookies.ts';
import { deleteEndedSessions, deleteSessionByToken, insertSession } from './session-store.ts';

/** A session that was not used for these milliseconds has ended. */
const idleLifetime = 12 * hour;

/** A session ends after these milliseconds, even if it is in use. */
const sessionLifetime = 30 * 24 * hour;

const maxClientLength = 255;

/**
 * Begins a session with a new id, and sets its cookie. The session that the request had ends, so
 * that nobody who knew its id can use the new one.
 */
export async function beginSession(
  trx: Database,
  context: Pick<Context, 'config' | 'now'>,
  request: CookieRequest,
  { userId, method }: { readonly userId: number; readonly method: SignInMethod },
): Promise<number> {
  const { config } = context;
  const { incoming } = request;
  const former = readCookie(config, incoming, 'session');
  if (former !== undefined) await deleteSessionByToken(trx, hashSecret(former));
  const { text, hash } = newSecret();
  const at = context.now();
  const sessionId = await insertSession(trx, {
    token_hash: hash,
    user_id: userId,
    method,
    address: incoming.ip,
    client: (incoming.headers['user-agent'] ?? '').slice(0, maxClientLength),
    created_at: at,
    authenticated_at: at,
    last_seen_at: at,
    expires_at: new Date(at.getTime() + sessionLifetime),
  });
  setCookie(config, request, { name: 'session', value: text, seconds: sessionLifetime / 1000 });
  return sessionId;
}

/** Ends the session of a request, and removes its cookie. */
export async function endSession(
  { config, db }: Pick<Context, 'config' | 'db'>,
  request: CookieRequest,
): Promise<void> {
  const token = readCookie(config, request.incoming, 'session');
  if (token === undefined) return;
  await deleteSessionByToken(db, hashSecret(token));
  clearCookie(config, request, 'session');
}

/** Returns the moment since which a session must have been used. */
export function idleSince(now: Date): Date {
  return new Date(now.getTime() - idleLifetime);
}

/** Deletes the sessions that have ended by themselves. */
export async function forgetEndedSessions({ db, now }: Context): Promise<void> {
  await deleteEndedSessions(db, now(), idleSince(now()));
}
