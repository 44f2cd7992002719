import type { Insertable, Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { personColumns, type PersonRow } from '../store/person-row.ts';

/** A row of `sessions`, without the hash. */
export type SessionRow = Omit<Selectable<Tables['sessions']>, 'token_hash'>;

/** Stores a session and returns its number. */
export async function insertSession(trx: Database, session: Insertable<Tables['sessions']>): Promise<number> {
  const { session_id: id } = await trx
    .insertInto('sessions')
    .values(session)
    .returning('session_id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Finds the person of a session that has not ended. `idleSince`: not used since then has ended. */
export async function findSessionPerson(
  db: Database,
  tokenHash: Buffer,
  now: Date,
  idleSince: Date,
): Promise<(PersonRow & Pick<SessionRow, 'session_id' | 'last_seen_at'>) | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.user_id', 'sessions.user_id')
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_seen_at', '>', idleSince)
    .where('users.disabled_at', 'is', null)
    .select(['sessions.session_id', 'sessions.last_seen_at', ...personColumns])
    .executeTakeFirst();
}

/** Notes that a session was used. */
export async function touchSession(db: Database, sessionId: number, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .where('session_id', '=', sessionId)
    .where('last_seen_at', '<', now)
    .set({ last_seen_at: now })
    .execute();
}

/** Ends the session with a token. */
export async function deleteSessionByToken(db: Database, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/**
 * Ends all sessions of a user, except one, and the sign-ins that wait for a code: they began with a
 * password that may have changed.
 */
export async function deleteSessionsOf(trx: Database, userId: number, except?: number): Promise<void> {
  await trx.deleteFrom('sign_in_steps').where('user_id', '=', userId).where('kind', '=', 'second_factor').execute();
  await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (query) => query.where('session_id', '!=', except!))
    .execute();
}

/** Deletes sessions that have ended by themselves. */
export async function deleteEndedSessions(db: Database, now: Date, idleSince: Date): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb('last_seen_at', '<=', idleSince)]))
    .execute();
}

const columns = [
  'session_id',
  'user_id',
  'method',
  'address',
  'client',
  'created_at',
  'authenticated_at',
  'last_seen_at',
  'expires_at',
] as const;

/** Finds a session of a user. */
export async function findSession(db: Database, userId: number, sessionId: number): Promise<SessionRow | undefined> {
  return db
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId)
    .select(columns)
    .executeTakeFirst();
}

/** Lists the sessions of a user that have not ended, with numbers greater than `after`. */
export async function listSessions(
  db: Database,
  userId: number,
  { after, limit, now, idleSince }: { after: number; limit: number; now: Date; idleSince: Date },
): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .where('session_id', '>', after)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', idleSince)
    .select(columns)
    .orderBy('session_id')
    .limit(limit)
    .execute();
}

/** Ends a session of a user. Returns false if the user does not have it. */
export async function deleteSession(db: Database, userId: number, sessionId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Notes that the person of a session has proved again who they are. */
export async function confirmSession(db: Database, sessionId: number, at: Date): Promise<void> {
  await db.updateTable('sessions').where('session_id', '=', sessionId).set({ authenticated_at: at }).execute();
}
