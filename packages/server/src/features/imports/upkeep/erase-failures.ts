import { mobileDigits } from '@roster/contract';
import { parse } from 'csv-parse';
import type { Context } from '#platform/context.ts';
import type { FoundColumn } from '#platform/database/schema/import-tables.ts';
import { guardMark, unguarded } from '#platform/csv/formula-guard.ts';
import { identifiersOf, type Identifier } from '#features/contacts/model/identifiers.ts';
import { frontColumns, isCarried } from '../run/failures-file.ts';
import { forgetFailures, keyOf, listImportsWithFailures, type ImportRow } from '../store/import-store.ts';

/** Who is looked for in files of failures. */
export interface Named {
  readonly primaryKey: string;
  readonly identifiers: ReadonlySet<Identifier>;
}

/**
 * Deletes the files of failures of an account that name a person; answers how many. A file goes as a whole: it is a help for mending rows, and
 * is deleted within days anyway. Doing it again changes nothing.
 */
export async function eraseFailures(
  { db, exportFiles }: Pick<Context, 'db' | 'exportFiles'>,
  accountId: number,
  person: Named,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  for (const row of await listImportsWithFailures(db, accountId)) {
    signal.throwIfAborted();
    if (!(await names(exportFiles, row, person))) continue;
    // The file goes first: what is written down as deleted is.
    await exportFiles.delete(row.failures_key!);
    await forgetFailures(db, keyOf(row));
    deleted++;
  }
  return deleted;
}

async function names(files: Context['exportFiles'], row: ImportRow, person: Named): Promise<boolean> {
  const content = await files.read(row.failures_key!);
  if (content === undefined) return false;
  const records = content.pipe(parse({ record_delimiter: '\r\n', relax_column_count: true }));
  content.on('error', (error) => records.destroy(error));
  const columns = row.columns.filter(isCarried);
  let front: number | undefined;
  try {
    for await (const record of records as AsyncIterable<string[]>) {
      if (front === undefined) front = frontColumns(record.includes(guardMark)).length;
      else if (rowNames(record.slice(front), columns, person)) return true;
    }
    return false;
  } finally {
    content.destroy();
  }
}

/** True when the cells of a row name a person. */
function rowNames(cells: readonly string[], columns: readonly FoundColumn[], person: Named): boolean {
  // What could not be read stands there as text.
  if (cells.length !== columns.length) return cells.some((cell) => textNames(cell, person));
  // The file may have the formula guard or not: a file goes when either reading names the person.
  return cells.some((cell, index) =>
    [cell, unguarded(cell)].some((text) => cellNames(text.trim(), columns[index]!, person)),
  );
}

function cellNames(text: string, { meaning }: FoundColumn, { primaryKey, identifiers }: Named): boolean {
  // An address or number names whoever has it, also in a column that the import has left out.
  const found = identifiersOf(
    {
      email: text,
      mobile: mobileDigits(text) ?? null,
      ...(meaning === 'identity' ? { identity: text } : {}),
      ...(meaning === 'contact_id' ? { contact_id: Number(text) } : {}),
    },
    primaryKey,
  );
  return found.some((identifier) => identifiers.has(identifier));
}

function textNames(text: string, { identifiers }: Named): boolean {
  const lower = text.toLowerCase();
  return Array.from(identifiers).some((identifier) => {
    const [kind] = identifier.split(':', 1);
    return kind !== 'contact_id' && lower.includes(identifier.slice(kind!.length + 1).toLowerCase());
  });
}
