import { mobileDigits } from '@roster/contract';
import { parse } from 'csv-parse';
import type { Context } from '#platform/context.ts';
import type { FoundColumn } from '#platform/database/schema/tables/imports.ts';
import { guardMark, unguarded } from '#platform/csv/formula-guard.ts';
import { identifiersOf, type Identifier } from '#features/contacts/model/identifiers.ts';
import { addedColumns, isCopied } from '../run/failures-file.ts';
import { clearFailuresKey, importRuns, keyOf, listImportsWithFailures, type ImportRow } from '../store/import-store.ts';

/** The person to look for in files of failures. `primaryKey` is the primary key of the account. */
export interface PersonToFind {
  readonly primaryKey: string;
  readonly identifiers: ReadonlySet<Identifier>;
}

/**
 * Deletes the files of failures of an account that contain a person. Returns their number.
 *
 * The whole file is deleted, because it expires within days anyway. A second call changes nothing.
 */
export async function eraseFailures(
  { db, exportFiles }: Pick<Context, 'db' | 'exportFiles'>,
  accountId: number,
  person: PersonToFind,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  for (const file of await listImportsWithFailures(db, accountId)) {
    signal.throwIfAborted();
    const row = await importRuns.find(db, keyOf(file));
    if (row === undefined || row.failures_key === null || !(await contains(exportFiles, row, person))) continue;
    // Delete first: the import must not say that the file is deleted while it exists.
    await exportFiles.delete(row.failures_key);
    await clearFailuresKey(db, keyOf(row));
    deleted++;
  }
  return deleted;
}

async function contains(files: Context['exportFiles'], row: ImportRow, person: PersonToFind): Promise<boolean> {
  const content = await files.read(row.failures_key!);
  if (content === undefined) return false;
  const records = content.pipe(parse({ record_delimiter: '\r\n', relax_column_count: true }));
  content.on('error', (error) => records.destroy(error));
  const columns = row.columns.filter(isCopied);
  let added: number | undefined;
  try {
    for await (const record of records as AsyncIterable<string[]>) {
      if (added === undefined) added = addedColumns(record.includes(guardMark)).length;
      else if (rowContains(record.slice(added), columns, person)) return true;
    }
    return false;
  } finally {
    content.destroy();
  }
}

function rowContains(cells: readonly string[], columns: readonly FoundColumn[], person: PersonToFind): boolean {
  // A row that could not be read has its text in one cell.
  if (cells.length !== columns.length) return cells.some((cell) => textContains(cell, person));
  // The cell may have an apostrophe of the formula guard. Look for the person with and without it.
  return cells.some((cell, index) =>
    [cell, unguarded(cell)].some((text) => cellContains(text.trim(), columns[index]!, person)),
  );
}

function cellContains(text: string, { meaning }: FoundColumn, { primaryKey, identifiers }: PersonToFind): boolean {
  // Every cell can contain an e-mail address or a mobile number, even one of a skipped column.
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

function textContains(text: string, { identifiers }: PersonToFind): boolean {
  const lower = text.toLowerCase();
  return Array.from(identifiers).some((identifier) => {
    const [kind] = identifier.split(':', 1);
    return kind !== 'contact_id' && lower.includes(identifier.slice(kind!.length + 1).toLowerCase());
  });
}
