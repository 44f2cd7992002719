import type { RunningWork } from '@roster/contract';
import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { WorkSource } from '#platform/long-runs/running-work.ts';
import { definitionsOf } from './definitions.ts';
import { loadBuilt, loadUnreadyIndexes, type UnreadyIndex } from './index-store.ts';

/**
 * The indexes of an account that are being built, for the list of running work. Nothing stores when
 * an index became ready, so ready indexes are not in the list.
 */
export const indexWork: WorkSource = {
  permission: 'attributes:read',
  async list({ db }, accountId) {
    const rows = await loadUnreadyIndexes(db, accountId);
    if (rows.length === 0) return [];
    const built = new Set((await loadBuilt(db)).flatMap(({ name, valid }) => (valid ? [name] : [])));
    const parts = await partsOfBuilds(db);
    return rows.map((row) => workOf(row, built, parts));
  },
};

/** Returns the part of each index build that is done, from 0 to 1, by the name of the index. */
async function partsOfBuilds(db: Database): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ name: string; part: number }>`
    select c.relname as name, (p.blocks_done::float8 / nullif(p.blocks_total, 0)) as part
    from pg_stat_progress_create_index p join pg_class c on c.oid = p.index_relid
    where p.datname = current_database() and p.blocks_total > 0`.execute(db);
  return new Map(rows.map(({ name, part }) => [name, part]));
}

function workOf(
  { attribute_id: attributeId, name, index_failed_at: failedAt, slot, filled }: UnreadyIndex,
  built: ReadonlySet<string>,
  parts: ReadonlyMap<string, number>,
): RunningWork {
  const definitions = slot === null ? [] : definitionsOf(slot);
  const done = definitions.reduce((sum, one) => sum + (built.has(one.name) ? 1 : (parts.get(one.name) ?? 0)), filled);
  const failed = failedAt !== null;
  return {
    kind: 'attribute_index',
    id: String(attributeId),
    title: name,
    status: failed ? 'failed' : slot === null ? 'waiting' : 'running',
    percent: slot === null ? null : Math.min(99, Math.floor((done / (definitions.length + 1)) * 100)),
    rows_done: null,
    rows_total: null,
    rows_failed: 0,
    rows_per_second: null,
    seconds_left: null,
    error: failed ? 'The index could not be built. The service tries again every minute.' : null,
    started_at: null,
    finished_at: failedAt?.toISOString() ?? null,
  };
}
