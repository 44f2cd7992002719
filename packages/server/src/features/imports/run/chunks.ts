import type { MappedRow, RowMapper, ContactItem } from '../rows/row-mapper.ts';
import type { ChunkKind } from './chunk-store.ts';
import type { RawRow } from '../rows/file-row.ts';

/** Rows of a file that become one request for identified and one for anonymous contacts. */
export interface Chunk {
  /** Number of the chunk, from 0. */
  readonly number: number;
  readonly rows: readonly MappedRow[];
  readonly items: Readonly<Record<ChunkKind, readonly ContactItem[]>>;
  /** Rows and bytes of the file up to the end of the chunk. */
  readonly rowsRead: number;
  readonly bytesRead: number;
}

// As large as the largest request. Larger chunks would delay other requests of the account.
const rowsPerChunk = 1000;
const bytesPerChunk = 4 * 1024 * 1024;

/**
 * Divides rows into chunks. Starts after the position `from`, which must be the end of a chunk.
 *
 * The chunks depend only on the file and `from`, so that every run finds the same chunks.
 */
export async function* chunksOf(
  source: AsyncIterable<RawRow[]>,
  mapper: RowMapper,
  from: { readonly chunks: number; readonly rows: number } = { chunks: 0, rows: 0 },
): AsyncGenerator<Chunk> {
  let number = from.chunks;
  let rowsRead = from.rows;
  let rowsSkipped = 0;
  let begin = 0;
  let rows: MappedRow[] = [];
  const finish = (): Chunk => {
    const items = (kind: ChunkKind) =>
      rows.flatMap((row) => (row.item !== undefined && row.kind === kind ? row.item : []));
    rowsRead += rows.length;
    begin = rows.at(-1)!.row.end;
    const both = { identified: items('identified'), anonymous: items('anonymous') };
    const chunk = { number: number++, rows, items: both, rowsRead, bytesRead: begin };
    rows = [];
    return chunk;
  };
  for await (const found of source) {
    for (const row of found) {
      if (rowsSkipped < from.rows) {
        rowsSkipped++;
        begin = row.end;
        continue;
      }
      if (rows.length > 0 && row.end - begin > bytesPerChunk) yield finish();
      rows.push(mapper.map(row));
      if (rows.length === rowsPerChunk) yield finish();
    }
  }
  if (rows.length > 0) yield finish();
}
