import { loadRegistry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import { chunksWithFailures, loadChunkFailures, type ChunkFailure } from './chunk-store.ts';
import { chunksOf, type Chunk } from './chunks.ts';
import { createComposer, type Composer } from '../rows/compose.ts';
import type { FailedRow } from './failures-file.ts';
import { keyOf, type ImportRow } from '../store/import-store.ts';
import { fileBytes, fileRows } from '../rows/open-file.ts';
import type { RowFailure } from '../rows/row-failure.ts';

/**
 * Reads the file of an import again as far as it was accepted, and answers the rows that were not applied, or not wholly: those that could
 * not become items, and those whose items have failures.
 *
 * Failures are not kept with their cells while the import runs: most imports have none, and one with a million is no larger in memory.
 */
export async function* failedRows(context: Context, row: ImportRow): AsyncGenerator<FailedRow> {
  const key = keyOf(row);
  const composer = createComposer(row, await loadRegistry(context.db, row.account_id));
  const recorded = await chunksWithFailures(context.db, key);
  for await (const chunk of chunksOf(fileRows(row, fileBytes(context, row)), composer)) {
    if (chunk.number >= row.chunks) return;
    const failures = recorded.has(chunk.number) ? await loadChunkFailures(context.db, key, chunk.number) : [];
    yield* failedRowsOf(chunk, failures, composer);
  }
}

/** The rows of a chunk with failures: their own, and those that were recorded of their items. */
export function* failedRowsOf(
  chunk: Chunk,
  recorded: readonly Omit<ChunkFailure, 'whole'>[] | readonly ChunkFailure[],
  composer: Composer,
): Generator<FailedRow> {
  const byItem = Map.groupBy(recorded, ({ kind, index }) => `${kind} ${index}`);
  const whole = new Map(
    recorded.flatMap((failure) => ('whole' in failure && failure.whole ? [[failure.kind, failure]] : [])),
  );
  const next = { identified: 0, anonymous: 0 };
  for (const { row, item, kind, failures } of chunk.rows) {
    if (item === undefined) {
      yield { row, failures };
      continue;
    }
    const index = next[kind]++;
    const refusal = whole.get(kind);
    const own = refusal === undefined ? (byItem.get(`${kind} ${index}`) ?? []) : [refusal];
    const all = [...failures, ...own.map((failure) => rowFailureOf(failure, composer))];
    if (all.length > 0) yield { row, failures: all };
  }
}

function rowFailureOf(
  { code, field, message, warning }: Pick<ChunkFailure, 'code' | 'field' | 'message' | 'warning'>,
  composer: Composer,
): RowFailure {
  return { column: field === null ? '' : composer.columnOf(field), code, message, warning };
}
