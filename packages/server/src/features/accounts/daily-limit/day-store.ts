import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';

/** A day of an account: `YYYY-MM-DD` in the time zone of the account. */
export interface BatchDay {
  readonly accountId: number;
  readonly day: string;
}

/** The result of {@link admitRequests}. */
export interface Admission {
  /** How many of the requests are within the limit. */
  readonly admitted: number;
  /** The number of all admitted requests of the day, including the new ones. */
  readonly used: number;
}

/**
 * Counts requests towards the limit of a day, until the limit is reached. Other transactions wait
 * until this transaction ends, so the limit is exact with any number of processes.
 */
export async function admitRequests(
  trx: Database,
  { accountId, day }: BatchDay,
  requests: number,
  limit: number,
): Promise<Admission> {
  const { rows } = await sql<Admission>`
    insert into batch_days as d (account_id, day, requests, last_admitted)
    values (${accountId}, ${day}, least(${requests}::int, ${limit}::int), least(${requests}::int, ${limit}::int))
    on conflict (account_id, day) do update set
      requests = d.requests + least(${requests}::int, ${limit}::int - d.requests),
      last_admitted = least(${requests}::int, ${limit}::int - d.requests)
      where d.requests < ${limit}
    returning last_admitted as admitted, requests as used`.execute(trx);
  return rows[0] ?? { admitted: 0, used: limit };
}

/** Returns the number of admitted requests of a day. */
export async function countedRequests(db: Database, { accountId, day }: BatchDay): Promise<number> {
  const { rows } = await sql<{ requests: number }>`
    select requests from batch_days where account_id = ${accountId} and day = ${day}`.execute(db);
  return rows[0]?.requests ?? 0;
}

/** Deletes the counts of all days before `day` (`YYYY-MM-DD`), for all accounts. */
export async function deleteDaysBefore(db: Database, day: string): Promise<void> {
  await sql`delete from batch_days where day < ${day}`.execute(db);
}
