import type { FastifyRequest } from 'fastify';
import type { Context } from '#platform/context.ts';
import type { LookUpPurpose, Person, PersonStore } from '#platform/http/authentication/actor.ts';
import { minute } from '#platform/time/intervals.ts';
import { hashSecret } from '../secrets/secret.ts';
import { personOfRow } from '../store/person-row.ts';
import { findTokenPerson, touchToken } from '../tokens/token-store.ts';
import { readCookie } from './cookies.ts';
import { findSessionPerson, touchSession } from './session-store.ts';
import { idleSince } from './sessions.ts';

/** Makes the store that finds the person of each request in the database. */
export function createPersonStore(context: Context): PersonStore {
  return {
    findBySession: (request, purpose) => findBySession(context, request, purpose),
    findByToken: (token, purpose) => findByToken(context, token, purpose),
  };
}

/** Finds the person of the session of a request; undefined without a valid session. */
export async function findBySession(
  { config, db, now: clock }: Context,
  request: FastifyRequest,
  purpose: LookUpPurpose,
): Promise<Person | undefined> {
  const token = readCookie(config, request, 'session');
  if (token === undefined) return undefined;
  const now = clock();
  const row = await findSessionPerson(db, hashSecret(token), now, idleSince(now));
  if (row === undefined) return undefined;
  // At most one write a minute, because a page sends many requests.
  const isOld = now.getTime() - row.last_seen_at.getTime() >= minute;
  if (purpose === 'use' && isOld) await touchSession(db, row.session_id, now);
  return { ...personOfRow(row), sessionId: row.session_id };
}

/**
 * Finds the person of a personal access token. A token that is restricted to some accounts has the
 * rights of its person only there.
 */
async function findByToken(
  { db, now: clock }: Context,
  token: string,
  purpose: LookUpPurpose,
): Promise<Person | undefined> {
  const now = clock();
  const row = await findTokenPerson(db, hashSecret(token), now);
  if (row === undefined) return undefined;
  const isOld = now.getTime() - (row.last_used_at?.getTime() ?? 0) >= minute;
  if (purpose === 'use' && isOld) await touchToken(db, row.token_id, now);
  const person = { ...personOfRow(row), tokenId: row.token_id };
  const { account_ids: accountIds } = row;
  if (accountIds === null) return person;
  const memberships = person.memberships.filter(({ accountId }) => accountIds.includes(accountId));
  return { ...person, isInstallationAdmin: false, memberships };
}
