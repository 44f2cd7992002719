import { withIndexBuilderLock } from '#features/attribute-indexes/index-builder-lock.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { freeDatabaseSpace } from './free-space.ts';
import { estimateFreshSizes } from './estimate-fresh-sizes.ts';
import { freshBytes, isBloated, mebibyte, rebuildObstacle, rebuildRules, type RebuildRules } from './rebuild-plan.ts';
import {
  countContacts,
  dropIndex,
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
const measureEvery = 3_600_000;

/** Options for tests. */
export interface IndexSizeOptions extends Partial<RebuildRules> {
  readonly free?: (context: Context, db: Database) => Promise<number | undefined>;
}

/**
 * Measures the indexes of contacts once an hour, and rebuilds those that are much larger than a new
 * index. A GIN index on changing values grows forever, because PostgreSQL does not free its pages
 * (docs/decisions/0022-index-sizes.md).
 *
 * Only one worker does this at a time, and not while an index is built. It does not block reading
 * or writing. It first drops the remains of interrupted rebuilds. Aborting `signal` cancels the
 * running statement.
 */
export async function maintainIndexSizes(
  context: Context,
  signal: AbortSignal,
  { free = freeDatabaseSpace, ...changes }: IndexSizeOptions = {},
): Promise<void> {
  const rules = { ...rebuildRules, maxFreshBytes: context.config.indexRebuildMb * mebibyte, ...changes };
  const isDue = isMeasurementDue(await loadSizes(context.db), context.now());
  if (isDue || (await listLeftovers(context.db)).length > 0) {
    await withIndexBuilderLock(context, signal, async (db) => {
      try {
        for (const name of await listLeftovers(db)) await dropIndex(db, name);
        if (isDue) await measure(context, db, rules);
        for (const row of await loadSizes(db)) {
          signal.throwIfAborted();
          if (isDue && isBloated(row, rules)) await rebuild(context, db, row, rules, free, signal);
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

async function measure(context: Context, db: Database, { minBytes }: RebuildRules): Promise<void> {
  const indexes = await listContactIndexes(db);
  const contacts = await countContacts(db);
  const large = indexes.filter(({ bytes }) => bytes >= minBytes);
  const estimated = await estimateFreshSizes(db, large, contacts).catch((error: unknown) => {
    // Continue with the measurement. Otherwise a database role that may not create temporary tables
    // would try again every few minutes.
    context.log.warn({ err: describeError(error) }, 'could not estimate the sizes of new indexes');
    return new Map<string, number>();
  });
  const last = new Map((await loadSizes(db)).map((row) => [row.index_name, row]));
  const sizes = indexes.map(({ name, bytes }) => ({
    index_name: name,
    bytes,
    fresh_bytes: freshBytes(estimated.get(name), last.get(name), contacts),
  }));
  await storeSizes(db, sizes, context.now());
}

async function rebuild(
  context: Context,
  db: Database,
  { index_name: name, bytes, fresh_bytes: fresh }: IndexSizeRow,
  rules: RebuildRules,
  free: NonNullable<IndexSizeOptions['free']>,
  signal: AbortSignal,
): Promise<void> {
  const { log, metrics } = context;
  const sizes = { index: name, mib: Math.round(bytes / mebibyte), fresh_mib: Math.round(fresh! / mebibyte) };
  const reason = rebuildObstacle(fresh!, await free(context, db), rules);
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
    for (const leftover of await listLeftovers(db)) await dropIndex(db, leftover);
    return;
  }
  const after = await indexBytes(db, name);
  await storeRebuild(db, name, { at: context.now(), bytes: after, contacts: await countContacts(db) });
  metrics.indexRebuilds.inc({ outcome: 'completed' });
  const ms = Math.round(performance.now() - started);
  log.info({ ...sizes, after_mib: Math.round(after / mebibyte), ms }, 'rebuilt an index that had grown');
}

function showSizes({ metrics }: Context, rows: readonly IndexSizeRow[]): void {
  metrics.indexBytes.reset();
  metrics.indexFreshBytes.reset();
  for (const { index_name: index, bytes, fresh_bytes } of rows) {
    metrics.indexBytes.set({ index }, bytes);
    if (fresh_bytes !== null) metrics.indexFreshBytes.set({ index }, fresh_bytes);
  }
}
