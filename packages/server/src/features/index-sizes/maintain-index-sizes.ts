import { withIndexBuilderLock, type OnServer } from '#features/attribute-indexes/index-builder-lock.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import type { AccountServer } from '#platform/database/layout/account-servers.ts';
import { hour } from '#platform/time/intervals.ts';
import { freeDatabaseSpace } from './free-space.ts';
import { estimateFreshSizes } from './estimate-fresh-sizes.ts';
import { freshBytes, isBloated, mebibyte, rebuildObstacle, rebuildRules, type RebuildRules } from './rebuild-plan.ts';
import {
  countContacts,
  dropIndex,
  findLeftovers,
  indexBytes,
  listContactIndexes,
  listLeftovers,
  loadSizes,
  rebuildIndex,
  storeRebuild,
  storeSizes,
  type IndexSizeRow,
} from './size-store.ts';

/** Milliseconds between two measurements by any worker. */
const measureEvery = hour;

/** Options for tests. */
export interface IndexSizeOptions extends Partial<RebuildRules> {
  readonly free?: typeof freeDatabaseSpace;
}

/** A measured index, and where it is. On a cluster, each shard of contacts has its own indexes. */
interface Measured extends Pick<IndexSizeRow, 'index_name' | 'bytes' | 'fresh_bytes'> {
  readonly server: AccountServer;
  readonly table: string;
}

/**
 * Measures the indexes of contacts once an hour, and rebuilds those that are much larger than a new
 * index. A GIN index on changing values grows forever, because PostgreSQL does not free its pages
 * (docs/decisions/0022-index-sizes.md).
 *
 * Only one worker does this at a time, and not while an index is built. It does not block reading
 * or writing. It first drops the remains of interrupted rebuilds. Aborting `signal` cancels the
 * running statement. Nodes of a cluster that are down are left out.
 */
export async function maintainIndexSizes(
  context: Context,
  signal: AbortSignal,
  { free = freeDatabaseSpace, ...changes }: IndexSizeOptions = {},
): Promise<void> {
  const rules = { ...rebuildRules, maxFreshBytes: context.config.indexRebuildMb * mebibyte, ...changes };
  const isDue = isMeasurementDue(await loadSizes(context.db), context.now());
  if (isDue || (await findLeftovers(context)).length > 0) {
    await withIndexBuilderLock(context, signal, async (_db, onServer) => {
      try {
        const measured = await cleanAndMeasure(context, onServer, isDue, rules);
        for (const one of measured.filter((size) => isBloated(size, rules))) {
          signal.throwIfAborted();
          await onServer(one.server, async (db) => rebuild(context, db, one, rules, free, signal));
        }
      } catch (error) {
        // After a stop, the next worker drops the remains.
        if (!signal.aborted) throw error;
      }
    });
  }
  showSizes(context, await loadSizes(context.db));
}

/** True when the last measurement is an hour old, or in the future (the clock was set back). */
function isMeasurementDue(rows: readonly IndexSizeRow[], now: Date): boolean {
  const age = Math.min(...rows.map(({ measured_at }) => now.getTime() - measured_at.getTime()));
  return rows.length === 0 || age >= measureEvery || age < 0;
}

/**
 * Drops the remains of interrupted rebuilds. If a measurement is due, measures all indexes, and
 * stores and returns their sizes.
 */
async function cleanAndMeasure(
  context: Context,
  onServer: OnServer,
  isDue: boolean,
  rules: RebuildRules,
): Promise<Measured[]> {
  const shards = Map.groupBy(await context.servers.shards(), ({ server }) => server);
  const up = [...shards].filter(([server]) => !server.isDown);
  const last = await loadSizes(context.db);
  const measured: Measured[] = [];
  for (const [server, own] of up) {
    await onServer(server, async (db) => {
      for (const shard of own) {
        const { contacts: table } = await shard.tables(['contacts']);
        for (const name of await listLeftovers(db, table)) await dropIndex(db, name);
        if (!isDue) continue;
        const sizes = await measure(context, db, table, last, rules);
        measured.push(...sizes.map((size) => ({ ...size, server, table })));
      }
    });
  }
  if (isDue) {
    const sizes = measured.map(({ index_name, bytes, fresh_bytes }) => ({ index_name, bytes, fresh_bytes }));
    await storeSizes(context.db, sizes, context.now(), up.length === shards.size);
  }
  return measured;
}

async function measure(
  context: Context,
  db: Database,
  table: string,
  last: readonly IndexSizeRow[],
  { minBytes }: RebuildRules,
): Promise<Pick<Measured, 'index_name' | 'bytes' | 'fresh_bytes'>[]> {
  const indexes = await listContactIndexes(db, table);
  const contacts = await countContacts(db, table);
  const large = indexes.filter(({ bytes }) => bytes >= minBytes);
  const estimated = await estimateFreshSizes(db, table, large, contacts).catch((error: unknown) => {
    // Continue with the measurement. Otherwise a database role that may not create temporary tables
    // would try again every few minutes.
    context.log.warn({ err: describeError(error) }, 'could not estimate the sizes of new indexes');
    return new Map<string, number>();
  });
  const known = new Map(last.map((row) => [row.index_name, row]));
  return indexes.map(({ name, bytes }) => ({
    index_name: name,
    bytes,
    fresh_bytes: freshBytes(estimated.get(name), known.get(name), contacts),
  }));
}

async function rebuild(
  context: Context,
  db: Database,
  { index_name: name, bytes, fresh_bytes: fresh, server, table }: Measured,
  rules: RebuildRules,
  free: typeof freeDatabaseSpace,
  signal: AbortSignal,
): Promise<void> {
  const { log, metrics } = context;
  const sizes = { index: name, mib: Math.round(bytes / mebibyte), fresh_mib: Math.round(fresh! / mebibyte) };
  const reason = rebuildObstacle(fresh!, await free(server.url, db), rules);
  if (reason !== undefined) {
    metrics.indexRebuilds.inc({ outcome: 'no_space' });
    const why =
      reason === 'disk'
        ? 'did not rebuild an index that has grown, because the disk has too little free space'
        : 'did not rebuild an index that has grown, because ROSTER_INDEX_REBUILD_MB is too small';
    log.warn(sizes, why);
    return;
  }
  const started = performance.now();
  try {
    await rebuildIndex(db, name);
  } catch (error) {
    if (signal.aborted) throw error;
    metrics.indexRebuilds.inc({ outcome: 'failed' });
    log.error({ ...sizes, err: describeError(error) }, 'could not rebuild an index that has grown; will retry');
    for (const leftover of await listLeftovers(db, table)) await dropIndex(db, leftover);
    return;
  }
  const after = await indexBytes(db, name);
  await storeRebuild(context.db, name, { at: context.now(), bytes: after, contacts: await countContacts(db, table) });
  metrics.indexRebuilds.inc({ outcome: 'completed' });
  const ms = Math.round(performance.now() - started);
  log.info({ ...sizes, after_mib: Math.round(after / mebibyte), ms }, 'rebuilt an index that had grown');
}

function showSizes({ config, metrics }: Context, rows: readonly IndexSizeRow[]): void {
  metrics.indexBytes.reset();
  metrics.indexFreshBytes.reset();
  // Together for all shards of a cluster. Each has a number at the end of its name.
  const nameOf = ({ index_name: name }: IndexSizeRow): string =>
    config.layout === 'single' ? name : name.replace(/_\d+$/, '');
  for (const [index, own] of Map.groupBy(rows, nameOf)) {
    metrics.indexBytes.set({ index }, sum(own.map(({ bytes }) => bytes)));
    // Small shards have no estimate. They count as they are.
    if (own.every(({ fresh_bytes: fresh }) => fresh === null)) continue;
    metrics.indexFreshBytes.set({ index }, sum(own.map(({ bytes, fresh_bytes: fresh }) => fresh ?? bytes)));
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
