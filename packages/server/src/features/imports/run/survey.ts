import { importLimits } from '@roster/contract';
import { requireLockedAccount } from '#features/accounts/store/require-account.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { FoundColumn } from '#platform/database/schema/import-tables.ts';
import { checkedUtf8 } from '../rows/decode.ts';
import { findColumns } from '../rows/find-columns.ts';
import { createAttributes } from './create-attributes.ts';
import { isJson } from '../rows/file-row.ts';
import { requireUsableHeader } from '../rows/header.ts';
import { ImportFailure } from '../store/import-failure.ts';
import type { LongRun } from '#platform/long-runs/long-runs.ts';
import { importRuns, type ImportRow } from '../store/import-store.ts';
import { TypeInference } from '../rows/infer-type.ts';
import { fileBytes, fileRows } from '../rows/open-file.ts';

/** What a file turned out to have. */
interface Survey {
  /** Bytes of the decoded text, unpacked. */
  readonly bytes: number;
  /** Keys of all objects of NDJSON, each name as it is spelled first, in the order in which they appear. */
  readonly headers: readonly string[];
  readonly types: ReadonlyMap<string, TypeInference>;
}

/**
 * Reads the whole file once before anything is written: that it can be unpacked and decoded to its end, which columns NDJSON has, and which
 * data types new attributes need. Then it creates those, and answers the import with its columns.
 *
 * Throws an {@link ImportFailure}, or a {@link RunOver}.
 */
export async function survey(context: Context, row: ImportRow, run: LongRun, signal: AbortSignal): Promise<ImportRow> {
  const found = await readFile(context, row, signal);
  const columns = await settleColumns(context, row, run, found, signal);
  await importRuns.note(context.db, run, {
    surveyed: true,
    bytes_total: found.bytes,
    columns: JSON.stringify(columns),
    run_started_at: context.now(),
  });
  return { ...row, surveyed: true, bytes_total: found.bytes, columns, run_started_at: context.now() };
}

async function readFile(context: Context, row: ImportRow, signal: AbortSignal): Promise<Survey> {
  const most = context.config.importUnpackedMb * 1024 * 1024;
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    const source = fileBytes(context, row);
    for await (const chunk of row.encoding === 'utf-8' ? checkedUtf8(source) : source) {
      signal.throwIfAborted();
      bytes += chunk.length;
      if (bytes > most) throw new ImportFailure('file_too_large');
      yield chunk;
    }
  }
  const types = new Map<string, TypeInference>();
  const headers = new Map<string, string>();
  const fresh = row.columns.flatMap(({ meaning, header }, index) => (meaning === 'unknown' ? [{ header, index }] : []));
  if (row.format === 'csv' && fresh.length === 0 && row.encoding === 'utf-8') {
    // Nobody has to look into the rows.
    for await (const chunk of counted()) void chunk;
    return { bytes, headers: [], types };
  }
  const infer = (header: string, value: unknown): void => {
    let type = types.get(header);
    if (type === undefined) types.set(header, (type = new TypeInference(row.format === 'ndjson')));
    type.add(value);
  };
  let end = 0;
  for await (const rows of fileRows(row, counted())) {
    end = rows.at(-1)?.end ?? end;
    for (const { cells, fault } of rows) {
      if (fault !== undefined) continue;
      if (!isJson(cells)) {
        for (const { header, index } of fresh) infer(header, cells[index]);
        continue;
      }
      for (const [name, { key, value }] of cells) {
        let header = headers.get(name);
        if (header === undefined) {
          requireUsableHeader(key);
          headers.set(name, (header = key));
        }
        if (row.unknown_columns === 'create') infer(header, value);
      }
      if (headers.size > importLimits.columns) {
        throw new ImportFailure(
          'header_invalid',
          `The objects of the file have more than ${importLimits.columns} different keys`,
        );
      }
    }
  }
  return { bytes: Math.max(bytes, end), headers: [...headers.values()], types };
}

/** The columns with the attributes that they are written to, which are held from now on; new ones are created. */
async function settleColumns(
  context: Context,
  row: ImportRow,
  run: LongRun,
  found: Survey,
  signal: AbortSignal,
): Promise<FoundColumn[]> {
  const columns = await context.db.transaction().execute(async (trx) => resolveColumns(trx, context, row, run, found));
  const fresh = columns.filter(({ meaning }) => meaning === 'unknown');
  if (fresh.length === 0) return columns;
  const typed = columns.map((column) =>
    column.meaning === 'unknown' ? { ...column, new_type: found.types.get(column.header)?.type ?? 'text' } : column,
  );
  if (row.dry_run)
    return typed.map((column) => (column.new_type === undefined ? column : { ...column, meaning: 'attribute' }));
  await createAttributes(
    context,
    row.account_id,
    typed.filter(({ new_type }) => new_type !== undefined),
    signal,
  );
  return context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, row.account_id);
    const registry = await loadRegistry(trx, row.account_id);
    const created = typed.map((column): FoundColumn => {
      if (column.new_type === undefined) return column;
      const attribute = registry.find(column.name!);
      if (attribute === undefined) throw new ImportFailure('attribute_not_created');
      return { ...column, meaning: 'attribute', attribute_id: attribute.id };
    });
    await importRuns.note(trx, run, { columns: JSON.stringify(created) });
    return created;
  });
}

/** Of NDJSON, whose columns were not known before, under the lock of the account: no attribute of them is deleted meanwhile. */
async function resolveColumns(
  trx: Database,
  _context: Context,
  row: ImportRow,
  run: LongRun,
  { headers }: Survey,
): Promise<FoundColumn[]> {
  const account = await requireLockedAccount(trx, row.account_id);
  if (account.primary_key !== row.primary_key) throw new ImportFailure('primary_key_changed');
  if (row.format === 'csv') return [...row.columns];
  const registry = await loadRegistry(trx, row.account_id);
  const columns = headers.length === 0 ? [] : findColumns(headers, { ...row, registry, given: row.given.columns });
  await importRuns.note(trx, run, { columns: JSON.stringify(columns) });
  return columns;
}
