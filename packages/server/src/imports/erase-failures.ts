import { importFailureColumns, mobileDigits } from '@roster/contract';
import { parse } from 'csv-parse';
import type { Context } from '../context.ts';
import type { FoundColumn } from '../db/import-tables.ts';
import { unguarded } from '../exports/formula-guard.ts';
import { identifiersOf, type Identifier } from '../people/identifiers.ts';
import { isCarried } from './failures-file.ts';
import { forgetFailures, keyOf, listImportsWithFailures, type ImportRow } from './import-store.ts';

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
  const records = content.pipe(parse({ record_delimiter: '\r\n', relax_column_count: true, from: 2 }));
  content.on('error', (error) => records.destroy(error));
  const columns = row.columns.filter(isCarried);
  try {
    for await (const record of records as AsyncIterable<string[]>) {
      if (rowNames(record.slice(importFailureColumns.length), columns, person)) return true;
    }
    return false;
  } finally {
    content.destroy();
  }
}

/** True when the cells of a row name a person. */
export function rowNames(cells: readonly string[], columns: readonly FoundColumn[], person: Named): boolean {
  // What could not be read stands there as text.
  if (cells.length !== columns.length) return cells.some((cell) => textNames(cell, person));
  return cells.some((cell, index) => {
    const text = unguarded(cell).trim();
    const { meaning } = columns[index]!;
    // An address or number names whoever has it, also in a column that the import has left out.
    const found = identifiersOf(
      {
        email: text,
        mobile: mobileDigits(text) ?? null,
        ...(meaning === 'identity' ? { identity: text } : {}),
        ...(meaning === 'contact_id' ? { contact_id: Number(text) } : {}),
      },
      person.primaryKey,
    );
    return found.some((identifier) => person.identifiers.has(identifier));
  });
}

function textNames(text: string, { identifiers }: Named): boolean {
  const lower = text.toLowerCase();
  return Array.from(identifiers).some((identifier) => {
    const [kind] = identifier.split(':', 1);
    return kind !== 'contact_id' && lower.includes(identifier.slice(kind!.length + 1).toLowerCase());
  });
}
