import type { FastifyRequest } from 'fastify';
import type { Context } from '#platform/context.ts';
import { minute } from '#platform/time/intervals.ts';
import { hashSecret } from '../secret.ts';
import { readCookie } from './cookies.ts';
import { findSessionPerson, touchSession, type PersonRow } from './session-store.ts';
import { idleSince } from './sessions.ts';
import type { Person } from '#platform/http/authentication/actor.ts';

/** Finds the person of the session of a request; undefined without a valid session. */
export async function findBySession(
  { config, db, now: clock }: Context,
  request: Pick<FastifyRequest, 'headers'>,
): Promise<Person | undefined> {
  const token = readCookie(config, request, 'session');
  if (token === undefined) return undefined;
  const now = clock();
  const row = await findSessionPerson(db, hashSecret(token), now, idleSince(now));
  if (row === undefined) return undefined;
  if (now.getTime() - row.last_seen_at.getTime() >= minute) await touchSession(db, row.session_id, now);
  return { ...personOf(row), sessionId: row.session_id };
}

/** Makes a person from a row. */
export function personOf(row: PersonRow): Person {
  return {
    userId: row.user_id,
    name: row.name,
    email: row.email,
    isInstallationAdmin: row.is_installation_admin,
    memberships: row.memberships.map(({ account_id: accountId, role, unmasked }) => ({ accountId, role, unmasked })),
  };
}
