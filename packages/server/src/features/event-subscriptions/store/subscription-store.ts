import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { notFound } from '#platform/errors/api-error.ts';

/** A row of the table `event_subscriptions`. */
export type SubscriptionRow = Selectable<Tables['event_subscriptions']>;

/** The key of a subscription. */
export interface SubscriptionKey {
  readonly accountId: number;
  readonly subscriptionId: string;
}

/** Stores a new subscription. */
export async function insertSubscription(
  trx: Database,
  row: Insertable<Tables['event_subscriptions']>,
): Promise<SubscriptionRow> {
  return trx.insertInto('event_subscriptions').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Finds a subscription; undefined when it does not exist. */
async function findSubscription(db: Database, key: SubscriptionKey): Promise<SubscriptionRow | undefined> {
  return select(db, key).executeTakeFirst();
}

/** Finds a subscription; throws `not_found`. */
export async function requireSubscription(db: Database, key: SubscriptionKey): Promise<SubscriptionRow> {
  return (await findSubscription(db, key)) ?? unknownSubscription(key);
}

/** Finds a subscription and locks it until the transaction ends; throws `not_found`. */
export async function requireLockedSubscription(trx: Database, key: SubscriptionKey): Promise<SubscriptionRow> {
  return (await select(trx, key).forUpdate().executeTakeFirst()) ?? unknownSubscription(key);
}

function select(db: Database, { accountId, subscriptionId }: SubscriptionKey) {
  return db
    .selectFrom('event_subscriptions')
    .where('account_id', '=', accountId)
    .where('subscription_id', '=', subscriptionId)
    .selectAll();
}

function unknownSubscription({ accountId, subscriptionId }: SubscriptionKey): never {
  throw notFound(`event subscription ${subscriptionId} in account ${accountId}`);
}

/** Changes columns of a subscription and returns it. */
export async function changeSubscription(
  trx: Database,
  { accountId, subscriptionId }: SubscriptionKey,
  changes: Updateable<Tables['event_subscriptions']>,
): Promise<SubscriptionRow> {
  return trx
    .updateTable('event_subscriptions')
    .where('account_id', '=', accountId)
    .where('subscription_id', '=', subscriptionId)
    .set(changes)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes a subscription and its deliveries. */
export async function deleteSubscription(trx: Database, { accountId, subscriptionId }: SubscriptionKey): Promise<void> {
  for (const table of ['event_subscriptions', 'event_deliveries'] as const) {
    await trx
      .deleteFrom(table)
      .where('account_id', '=', accountId)
      .where('subscription_id', '=', subscriptionId)
      .execute();
  }
}

/** Lists the subscriptions of an account, newest first, that are older than `before`. */
export async function listSubscriptions(
  db: Database,
  accountId: number,
  before: string | undefined,
  limit: number,
): Promise<SubscriptionRow[]> {
  return db
    .selectFrom('event_subscriptions')
    .where('account_id', '=', accountId)
    .$if(before !== undefined, (query) => query.where('subscription_id', '<', before!))
    .selectAll()
    .orderBy('subscription_id', 'desc')
    .limit(limit)
    .execute();
}

/** Counts the subscriptions of an account. */
export async function countSubscriptions(db: Database, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom('event_subscriptions')
    .where('account_id', '=', accountId)
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
