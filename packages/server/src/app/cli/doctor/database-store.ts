import type pg from 'pg';
import { databaseOn } from '#platform/database/connection/database.ts';
import { losingSettings } from '#platform/database/statements/durability.ts';
import { isBloated } from '#features/index-sizes/rebuild-plan.ts';
import { loadSizes } from '#features/index-sizes/size-store.ts';

/** Returns the version of the server, as text and as a number such as 180004. */
export async function serverVersion(client: pg.Client): Promise<{ readonly text: string; readonly number: number }> {
  const { rows } = await client.query<{ text: string; number: number }>(
    `select current_setting('server_version') as text, current_setting('server_version_num')::int as number`,
  );
  return rows[0]!;
}

/** Returns the settings with which a crash can lose committed data; null if there are none. */
export async function losingSettingsOf(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ settings: string | null }>(`select ${losingSettings} as settings`);
  return rows[0]!.settings;
}

/**
 * Returns the names of the applied migrations in order; undefined if Roster has no schema there.
 */
export async function appliedMigrations(client: pg.Client): Promise<string[] | undefined> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `select to_regclass('kysely_migration') is not null as found`,
  );
  if (tables[0]?.found !== true) return undefined;
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}

/** Returns the time of the database server, in milliseconds since 1970. */
export async function databaseTime(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ now: string }>(
    `select (extract(epoch from clock_timestamp()) * 1000)::text as now`,
  );
  return Number(rows[0]!.now);
}

/** Returns the bloated indexes of contacts that a worker should have rebuilt, with sizes in MiB. */
export async function grownIndexes(
  client: pg.Client,
): Promise<readonly { readonly name: string; readonly mib: number; readonly freshMib: number }[]> {
  const sizes = await loadSizes(databaseOn(client));
  const mib = (bytes: number): number => Math.round(bytes / 1024 ** 2);
  return sizes
    .filter((row) => isBloated(row))
    .map(({ index_name: name, bytes, fresh_bytes }) => ({ name, mib: mib(bytes), freshMib: mib(fresh_bytes!) }));
}

/**
 * Returns the number of requests in the queue, and for how many seconds the oldest has waited, with
 * its account (null if the queue is empty).
 */
export async function waitingRequests(
  client: pg.Client,
): Promise<{ readonly requests: number; readonly seconds: number | null; readonly accountId: number | null }> {
  // Two statements, because a cluster refuses a subquery in the list of columns.
  const { rows } = await client.query<{ requests: number; seconds: number | null }>(
    `select count(distinct request_id)::int as requests, extract(epoch from now() - min(accepted_at))::float8 as seconds
     from request_queue /* all accounts */`,
  );
  const { rows: oldest } = await client.query<{ account_id: number }>(
    'select account_id from request_queue order by accepted_at limit 1 /* all accounts */',
  );
  return { ...rows[0]!, accountId: oldest[0]?.account_id ?? null };
}

/** Counts the live segments that are broken, and returns for how many seconds the oldest change waits. */
export async function liveSegmentState(
  client: pg.Client,
): Promise<{ readonly live: number; readonly broken: number; readonly seconds: number | null }> {
  const { rows } = await client.query<{ live: number; broken: number; seconds: number | null }>(
    `select live, broken, seconds
     from (select count(*)::int as live, count(*) filter (where state = 'broken')::int as broken from live_segments) s,
       (select extract(epoch from now() - min(changed_at))::float8 as seconds from live_pending) p /* all accounts */`,
  );
  return rows[0]!;
}

/** Counts the deliveries that are retried, and those that failed permanently in the last day. */
export async function failingDeliveries(
  client: pg.Client,
): Promise<{ readonly pending: number; readonly failed: number }> {
  const { rows } = await client.query<{ pending: number; failed: number }>(
    `select count(*) filter (where status = 'pending' and attempts > 0)::int as pending,
            count(*) filter (where status = 'failed' and finished_at > now() - interval '1 day')::int as failed
     from deliveries`,
  );
  return rows[0]!;
}
