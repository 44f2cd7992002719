import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { ContactIndex } from './size-store.ts';
import { ofAllAccounts } from '#platform/database/statements/all-accounts.ts';

/** Number of contacts in the sample. Building the largest indexes on it takes about a second. */
const usualSample = 50_000;

/** Minimum pages of an index on the sample. A smaller index does not allow an estimate. */
const minPages = 16;

/**
 * Estimates the sizes of newly built indexes in bytes, by building them on a sample of the
 * contacts in a table. Leaves out an index if the sample has too few rows for it.
 *
 * The estimate is usually too high: an index stores shared values more compactly the more contacts
 * share them. A high estimate delays a rebuild, but never causes a useless one.
 */
export async function estimateFreshSizes(
  db: Database,
  table: string,
  indexes: readonly ContactIndex[],
  contacts: number,
  sampleSize = usualSample,
): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  if (contacts === 0 || indexes.length === 0) return sizes;
  await db.transaction().execute(async (trx) => {
    // A temporary table is not written to the write-ahead log.
    await sql`create temporary table contacts_sample (like ${sql.table(table)}) on commit drop`.execute(trx);
    const percent = Math.min(100, (100 * sampleSize) / contacts);
    await sql`insert into contacts_sample select * from ${sql.table(table)} tablesample system (${percent}::float8) ${ofAllAccounts}`.execute(
      trx,
    );
    const { rows } = await sql<{ sampled: number }>`select count(*) as sampled from contacts_sample`.execute(trx);
    const { sampled } = rows[0]!;
    if (sampled === 0) return;
    const isWhole = percent === 100;
    for (const [at, index] of indexes.entries()) {
      const { bytes, pageBytes } = await buildOnSample(trx, index, `contacts_sample_${at}`);
      if (!isWhole && bytes < minPages * pageBytes) continue;
      // The first page has metadata and does not grow.
      const factor = isWhole ? 1 : Math.max(1, contacts / sampled);
      sizes.set(index.name, Math.round((bytes - pageBytes) * factor + pageBytes));
    }
  });
  return sizes;
}

async function buildOnSample(
  db: Database,
  { name, definition }: ContactIndex,
  sampleName: string,
): Promise<{ bytes: number; pageBytes: number }> {
  const on = /^CREATE (?:UNIQUE )?INDEX \S+ ON \S+ (USING .*)$/s.exec(definition)?.[1];
  if (on === undefined) throw new Error(`cannot parse the definition of the index ${name}`);
  await sql`create index ${sql.id(sampleName)} on contacts_sample ${sql.raw(on)}`.execute(db);
  const { rows } = await sql<{ bytes: number; pageBytes: number }>`
    select pg_relation_size(${sampleName}::regclass) as bytes, current_setting('block_size')::int as "pageBytes"`.execute(
    db,
  );
  await sql`drop index ${sql.id(sampleName)}`.execute(db);
  return rows[0]!;
}
