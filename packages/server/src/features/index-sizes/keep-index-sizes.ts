import { asIndexBuilder } from '#features/attribute-indexes/index-builder.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { freeDatabaseSpace } from './free-space.ts';
import { estimateFreshSizes } from './fresh-size.ts';
import { freshBytes, isBloated, mebibyte, obstacle, rebuildRules, type RebuildRules } from './rebuild-plan.ts';
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

/** Milliseconds between two measurements, by whichever worker. */
const measureEvery = 3_600_000;

/** What tests set: when indexes are rebuilt, and the free space. */
export interface IndexSizeOptions extends Partial<RebuildRules> {
  readonly free?: (context: Context, db: Database) => Promise<number | undefined>;
}

/**
 * Measures the indexes of contacts once an hour and rebuilds those that have grown far beyond the size of a new one, beside reading and
 * writing. A GIN index on changing values grows without end: its pages are not given back (docs/decisions/0022-index-sizes.md).
 *
 * One worker at a time, and not while an index is built. What an interrupted rebuild left behind is removed first. Aborting `signal` cancels
 * the statement under way.
 */
export async function keepIndexSizes(
  context: Context,
  signal: AbortSignal,
  { free = freeDatabaseSpace, ...changes }: IndexSizeOptions = {},
): Promise<void> {
  const rules = { ...rebuildRules, mostFreshBytes: context.config.indexRebuildMb * mebibyte, ...changes };
  const isDue = isMeasurementDue(await loadSizes(context.db), context.now());
  if (isDue || (await listLeftovers(context.db)).length > 0) {
    await asIndexBuilder(context, signal, async (db) => {
      try {
        for (const name of await listLeftovers(db)) await dropIndex(db, name);
        if (isDue) await measure(context, db, rules);
        for (const row of await loadSizes(db)) {
          signal.throwIfAborted();
          if (isDue && isBloated(row, rules)) await rebuild(context, db, row, rules, free, signal);
        }
      } catch (error) {
        // A stop: what it left behind is found by the next worker.
        if (!signal.aborted) throw error;
      }
    });
  }
  showSizes(context, await loadSizes(context.db));
}

/** True when the last measurement is an hour old, or of a later time: the clock was set back. */
function isMeasurementDue(rows: readonly IndexSizeRow[], now: Date): boolean {
  const age = Math.min(...rows.map(({ measured_at }) => now.getTime() - measured_at.getTime()));
  return rows.length === 0 || age >= measureEvery || age < 0;
}

async function measure(context: Context, db: Database, { leastBytes }: RebuildRules): Promise<void> {
  const indexes = await listContactIndexes(db);
  const contacts = await countContacts(db);
  const large = indexes.filter(({ bytes }) => bytes >= leastBytes);
  const estimated = await estimateFreshSizes(db, large, contacts).catch((error: unknown) => {
    // The sizes are measured all the same: a role that may not make temporary tables would try again and again.
    context.log.warn({ err: describeError(error) }, 'the fresh sizes of indexes could not be estimated');
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
  const reason = obstacle(fresh!, await free(context, db), rules);
  if (reason !== undefined) {
    metrics.indexRebuilds.inc({ outcome: 'no_space' });
    const why =
      reason === 'disk'
        ? 'an index has grown and is not rebuilt: the disk has too little free space'
        : 'an index has grown and is not rebuilt: ROSTER_INDEX_REBUILD_MB is too small';
    log.warn(sizes, why);
    return;
  }
  const started = performance.now();
  try {
    await rebuildIndex(db, name);
  } catch (error) {
    if (signal.aborted) throw error;
    metrics.indexRebuilds.inc({ outcome: 'failed' });
    log.error(
      { ...sizes, err: describeError(error) },
      'an index that has grown could not be rebuilt; it is tried again',
    );
    for (const leftover of await listLeftovers(db)) await dropIndex(db, leftover);
    return;
  }
  const after = await indexBytes(db, name);
  await storeRebuild(db, name, { at: context.now(), bytes: after, contacts: await countContacts(db) });
  metrics.indexRebuilds.inc({ outcome: 'completed' });
  const ms = Math.round(performance.now() - started);
  log.info({ ...sizes, after_mib: Math.round(after / mebibyte), ms }, 'an index that had grown was rebuilt');
}

function showSizes({ metrics }: Context, rows: readonly IndexSizeRow[]): void {
  metrics.indexBytes.reset();
  metrics.indexFreshBytes.reset();
  for (const { index_name: index, bytes, fresh_bytes } of rows) {
    metrics.indexBytes.set({ index }, bytes);
    if (fresh_bytes !== null) metrics.indexFreshBytes.set({ index }, fresh_bytes);
  }
}
