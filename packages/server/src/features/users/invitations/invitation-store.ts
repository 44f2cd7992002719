import type { Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { emailKey } from '../store/user-store.ts';
import { withEntitledAuthors } from './invitation-author.ts';

/** A row of `invitations`, without the hash. */
export type InvitationRow = Omit<Selectable<Tables['invitations']>, 'token_hash'>;

const columns = [
  'account_id',
  'invitation_id',
  'email',
  'email_key',
  'role',
  'unmasked',
  'author',
  'created_at',
  'expires_at',
] as const;

/** Stores an invitation, and deletes an earlier one to the same address. */
export async function putInvitation(
  trx: Database,
  invitation: Omit<InvitationRow, 'invitation_id' | 'email_key'>,
  tokenHash: Buffer,
): Promise<InvitationRow> {
  const key = emailKey(invitation.email);
  await trx
    .deleteFrom('invitations')
    .where('account_id', '=', invitation.account_id)
    .where('email_key', '=', key)
    .execute();
  return trx
    .insertInto('invitations')
    .values({ ...invitation, email_key: key, token_hash: tokenHash })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Lists the invitations to an account with numbers greater than `after`, without withdrawn ones. */
export async function listInvitations(
  db: Database,
  accountId: number,
  after: number,
  limit: number,
): Promise<InvitationRow[]> {
  const found: InvitationRow[] = [];
  // A page must be full if there is another one, so rows that do not count are replaced by more.
  for (let position = after; ;) {
    const rows = await db
      .selectFrom('invitations')
      .where('account_id', '=', accountId)
      .where('invitation_id', '>', position)
      .select(columns)
      .orderBy('invitation_id')
      .limit(limit)
      .execute();
    found.push(...(await withEntitledAuthors(db, rows)));
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit || found.length >= limit) return found.slice(0, limit);
    position = last.invitation_id;
  }
}

/** Counts the invitations to an account that have not expired, also withdrawn ones. */
export async function countOpenInvitations(db: Database, accountId: number, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('invitations')
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Finds an invitation that still counts by its token, with the name of its account. */
export async function findInvitation(
  db: Database,
  tokenHash: Buffer,
  now: Date,
): Promise<(InvitationRow & { readonly account_name: string }) | undefined> {
  const rows = await db
    .selectFrom('invitations')
    .innerJoin('accounts', 'accounts.account_id', 'invitations.account_id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('accounts.deleted_at', 'is', null)
    .select([...columns.map((column) => `invitations.${column}` as const), 'accounts.name as account_name'])
    .execute();
  return (await withEntitledAuthors(db, rows))[0];
}

/**
 * Uses an invitation up if it still counts. Only one of several requests at the same time gets it.
 */
export async function takeInvitation(trx: Database, tokenHash: Buffer, now: Date): Promise<InvitationRow | undefined> {
  const rows = await trx
    .deleteFrom('invitations')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning(columns)
    .execute();
  return (await withEntitledAuthors(trx, rows))[0];
}

/**
 * Uses up the invitations to an address. Returns those that still count, of all accounts that are not
 * being deleted.
 */
export async function takeInvitationsTo(trx: Database, email: string, now: Date): Promise<InvitationRow[]> {
  const rows = await trx
    .deleteFrom('invitations')
    .where('email_key', '=', emailKey(email))
    .where('expires_at', '>', now)
    .where('account_id', 'in', (eb) => eb.selectFrom('accounts').where('deleted_at', 'is', null).select('account_id'))
    .returning(columns)
    .execute();
  return withEntitledAuthors(trx, rows);
}

/** Finds an invitation to an account by its number, except a withdrawn one. */
export async function invitationById(
  db: Database,
  accountId: number,
  invitationId: number,
): Promise<InvitationRow | undefined> {
  const rows = await db
    .selectFrom('invitations')
    .where('account_id', '=', accountId)
    .where('invitation_id', '=', invitationId)
    .select(columns)
    .execute();
  return (await withEntitledAuthors(db, rows))[0];
}

/** Finds the invitation to an account that a new one to the same address would replace. */
export async function invitationTo(db: Database, accountId: number, email: string): Promise<InvitationRow | undefined> {
  const rows = await db
    .selectFrom('invitations')
    .where('account_id', '=', accountId)
    .where('email_key', '=', emailKey(email))
    .select(columns)
    .execute();
  return (await withEntitledAuthors(db, rows))[0];
}

/** Deletes an invitation to an account. */
export async function deleteInvitation(trx: Database, accountId: number, invitationId: number): Promise<void> {
  await trx
    .deleteFrom('invitations')
    .where('account_id', '=', accountId)
    .where('invitation_id', '=', invitationId)
    .execute();
}
