import { loadRegistry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import { chunksWithFailures, loadChunkFailures, type ChunkFailure } from './chunk-store.ts';
import { chunksOf, type Chunk } from './chunks.ts';
import { createRowMapper, type RowMapper } from '../rows/row-mapper.ts';
import type { FailedRow } from './failures-file.ts';
import { keyOf, type ImportRow } from '../store/import-store.ts';
import { fileBytes, fileRows } from '../rows/open-file.ts';
import type { RowFailure } from '../rows/file-row.ts';

/**
 * Reads the accepted part of the imported file again. Returns the rows with failures or warnings.
 *
 * The import does not keep failed rows while it runs. Most imports have none, and a million of them
 * would not fit into memory.
 */
export async function* failedRows(context: Context, row: ImportRow): AsyncGenerator<FailedRow> {
  const key = keyOf(row);
  const mapper = createRowMapper(row, await loadRegistry(context.db, row.account_id), row.uploaded_at!);
  const recorded = await chunksWithFailures(context.db, key);
  for await (const chunk of chunksOf(fileRows(row, fileBytes(context, row)), mapper)) {
    if (chunk.number >= row.chunks) return;
    const failures = recorded.has(chunk.number) ? await loadChunkFailures(context.db, key, chunk.number) : [];
    yield* failedRowsOf(chunk, failures, mapper);
  }
}

/** Returns the rows of a chunk with failures: their own, and the `recorded` ones of their items. */
export function* failedRowsOf(
  chunk: Chunk,
  recorded: readonly (Omit<ChunkFailure, 'whole'> & { readonly whole?: boolean })[],
  mapper: RowMapper,
): Generator<FailedRow> {
  const byItem = Map.groupBy(recorded, ({ kind, index }) => `${kind} ${index}`);
  const requestFailures = new Map(recorded.flatMap((failure) => (failure.whole ? [[failure.kind, failure]] : [])));
  const next = { identified: 0, anonymous: 0 };
  for (const { row, item, kind, failures } of chunk.rows) {
    if (item === undefined) {
      yield { row, failures };
      continue;
    }
    const index = next[kind]++;
    const requestFailure = requestFailures.get(kind);
    const own = requestFailure === undefined ? (byItem.get(`${kind} ${index}`) ?? []) : [requestFailure];
    const ofItem = own.map(({ code, field, message, warning }): RowFailure => {
      return { column: field === null ? '' : mapper.columnOf(field), code, message, warning };
    });
    if (failures.length + ofItem.length > 0) yield { row, failures: [...failures, ...ofItem] };
  }
}
