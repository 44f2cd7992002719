import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';

/** A day of an account, `YYYY-MM-DD` in its time zone. */
export interface BatchDay {
  readonly accountId: number;
  readonly day: string;
}

/** What of a number of requests was admitted, and the requests of the day with them. */
export interface Admission {
  readonly admitted: number;
  readonly used: number;
}

/**
 * Counts requests towards the limit of a day, as many of them as it leaves room for, and keeps other transactions from counting until this
 * one ends: so the limit is exact, whatever number of processes accepts.
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

/** Requests that were counted towards a day. */
export async function countedRequests(db: Database, { accountId, day }: BatchDay): Promise<number> {
  const { rows } = await sql<{ requests: number }>`
    select requests from batch_days where account_id = ${accountId} and day = ${day}`.execute(db);
  return rows[0]?.requests ?? 0;
}

/** Forgets the days before one (`YYYY-MM-DD`), of all accounts. */
export async function deleteDaysBefore(db: Database, day: string): Promise<void> {
  await sql`delete from batch_days where day < ${day}`.execute(db);
}
