import type { ComposedRow, Composer, ContactItem } from '../rows/compose.ts';
import type { ChunkKind } from './chunk-store.ts';
import type { RawRow } from '../rows/file-row.ts';

/** Rows of a file that become requests together: one of identified contacts, and one of anonymous contacts where there are some. */
export interface Chunk {
  /** Its number, from 0. */
  readonly number: number;
  readonly rows: readonly ComposedRow[];
  readonly items: Readonly<Record<ChunkKind, readonly ContactItem[]>>;
  /** Rows and bytes of the file up to its end. */
  readonly rowsRead: number;
  readonly bytesRead: number;
}

// As large as requests of the interface are: what waits in the pipeline for an import is to be small and quickly applied.
const rowsPerChunk = 1000;
const bytesPerChunk = 4 * 1024 * 1024;

/** Where the reading of a file goes on. */
export interface Position {
  readonly chunks: number;
  readonly rows: number;
}

/**
 * Divides rows into chunks, from a position on that is the end of a chunk.
 *
 * What a chunk has depends on the file and its beginning alone, so that whoever reads the file again finds the same chunks.
 */
export async function* chunksOf(
  source: AsyncIterable<RawRow[]>,
  composer: Composer,
  from: Position = { chunks: 0, rows: 0 },
): AsyncGenerator<Chunk> {
  let number = from.chunks;
  let rowsRead = 0;
  let begin = 0;
  let rows: ComposedRow[] = [];
  const finish = (): Chunk => {
    const items = (kind: ChunkKind) =>
      rows.flatMap((row) => (row.item !== undefined && row.kind === kind ? row.item : []));
    const bytesRead = rows.at(-1)!.row.end;
    const chunk = {
      number: number++,
      rows,
      items: { identified: items('identified'), anonymous: items('anonymous') },
      rowsRead,
      bytesRead,
    };
    begin = bytesRead;
    rows = [];
    return chunk;
  };
  for await (const found of source) {
    for (const row of found) {
      rowsRead++;
      if (rowsRead <= from.rows) {
        begin = row.end;
        continue;
      }
      if (rows.length > 0 && row.end - begin > bytesPerChunk) {
        // The row belongs to the next one.
        rowsRead--;
        yield finish();
        rowsRead++;
      }
      rows.push(composer.compose(row));
      if (rows.length === rowsPerChunk) yield finish();
    }
  }
  if (rows.length > 0) yield finish();
}
