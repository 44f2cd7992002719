import { listsPerAccount, segmentsPerAccount } from '@roster/contract';
import { takeNumbers } from '#features/registry/account-numbers.ts';
import { findAccount } from '#features/accounts/store/account-store.ts';
import { audienceCondition, type AudiencePage } from './audience-page.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { conflict } from '#platform/errors/api-error.ts';

/**
 * Reserves the next audience id of an account, and locks the account until the transaction ends.
 * Returns undefined when the account does not exist.
 */
export async function takeAudienceId(trx: Database, accountId: number): Promise<number | undefined> {
  if ((await findAccount(trx, accountId)) === undefined) return undefined;
  const { last_audience_id: audienceId } = await takeNumbers(trx, accountId, { audiences: 1 });
  // The account may have been deleted while this waited for its lock.
  return (await findAccount(trx, accountId)) === undefined ? undefined : audienceId;
}

/**
 * Throws `conflict` if an account has as many lists or segments as it can have. The caller has locked
 * the account.
 */
export async function requireRoomForAudience(
  trx: Database,
  accountId: number,
  type: 'list' | 'segment',
): Promise<void> {
  const limit = audiencesPerAccount[type];
  if ((await countAudiences(trx, accountId, type, {})) < limit) return;
  throw conflict(`The account has ${limit} ${type}s, which is the maximum. Delete one of them.`);
}

const audiencesPerAccount = { list: listsPerAccount, segment: segmentsPerAccount } as const;

/** Counts the lists or the segments that match a page, on all pages. */
export async function countAudiences(
  db: Database,
  accountId: number,
  type: 'list' | 'segment',
  page: AudiencePage,
): Promise<number> {
  const row = await db
    .selectFrom('audiences')
    .where('account_id', '=', accountId)
    .where('audience_type', '=', type)
    .where(audienceCondition(page, undefined))
    .select((expression) => expression.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Deletes the row of a list or segment. */
export async function deleteAudience(trx: Database, accountId: number, audienceId: number): Promise<void> {
  await trx.deleteFrom('audiences').where('account_id', '=', accountId).where('audience_id', '=', audienceId).execute();
}

/** Loads the name of a list or segment; undefined when it does not exist. */
export async function findAudienceName(
  db: Database,
  accountId: number,
  audienceId: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('audiences')
    .where('account_id', '=', accountId)
    .where('audience_id', '=', audienceId)
    .select('name')
    .executeTakeFirst();
  return row?.name;
}
