import { importLimits } from '@roster/contract';
import { requireLockedAccount } from '#features/accounts/store/require-account.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { FoundColumn } from '#platform/database/schema/tables/imports.ts';
import { checkedUtf8 } from '../rows/decode.ts';
import { CellSurvey, isSpecial } from '../columns/cell-survey.ts';
import { givenKey } from '../columns/given-columns.ts';
import { addJsonColumns, isInFile } from '../columns/json-columns.ts';
import { createLists } from './create-lists.ts';
import { findColumns } from '../columns/find-columns.ts';
import { createAttributes } from './create-attributes.ts';
import { isJson } from '../rows/file-row.ts';
import { requireUsableHeader } from '../columns/header.ts';
import { ImportFailure } from '../store/import-failure.ts';
import type { LongRun } from '#platform/long-runs/long-runs.ts';
import { importRuns, type ImportRow } from '../store/import-store.ts';
import { TypeInference } from '../columns/infer-type.ts';
import { fileBytes, fileRows } from '../rows/open-file.ts';

/** The result of reading the whole file. */
interface Survey {
  /** Size of the decompressed and decoded text in bytes. */
  readonly bytes: number;
  /** NDJSON: the keys of all objects in the order of their first occurrence, as spelled there. */
  readonly headers: readonly string[];
  /** The data types for new attributes, by header. */
  readonly types: ReadonlyMap<string, TypeInference>;
  /** The keys in JSON cells, and the names of lists. */
  readonly cells: CellSurvey;
}

/**
 * Reads the whole file once before any contact is written, in order to:
 * - check that it can be decompressed and decoded to its end
 * - find the columns of NDJSON
 * - find the data types of new attributes
 * - find the keys in JSON cells, and the names of lists
 *
 * Then creates the new attributes and lists. Returns the import with its columns. Throws an
 * {@link ImportFailure}, or a {@link RunOver}.
 */
export async function survey(context: Context, row: ImportRow, run: LongRun, signal: AbortSignal): Promise<ImportRow> {
  const found = await readFile(context, row, signal);
  const resolved = await resolveColumns(context, row, run, found, signal);
  const columns = await createLists(context, row, run, resolved, found.cells.listNames);
  const changes = { surveyed: true, bytes_total: found.bytes, run_started_at: context.now() };
  await importRuns.note(context.db, run, { ...changes, columns: JSON.stringify(columns) });
  return { ...row, ...changes, columns };
}

async function readFile(context: Context, row: ImportRow, signal: AbortSignal): Promise<Survey> {
  const maxBytes = context.config.importUnpackedMb * 1024 * 1024;
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    const source = fileBytes(context, row);
    for await (const chunk of row.encoding === 'utf-8' ? checkedUtf8(source) : source) {
      signal.throwIfAborted();
      bytes += chunk.length;
      if (bytes > maxBytes) throw new ImportFailure('file_too_large');
      yield chunk;
    }
  }
  const types = new Map<string, TypeInference>();
  const headers = new Map<string, string>();
  const unknown = row.columns.flatMap(({ meaning, header }, index) => (meaning === 'unknown' ? { header, index } : []));
  const cells = new CellSurvey();
  const special = row.columns.flatMap((column, index) => (isSpecial(column) ? { column, index } : []));
  if (row.format === 'csv' && unknown.length === 0 && special.length === 0 && row.encoding === 'utf-8') {
    // Do not parse the rows. Only the size and the encoding must be checked.
    for await (const chunk of counted()) void chunk;
    return { bytes, headers: [], types, cells };
  }
  const infer = (header: string, value: unknown, isTyped = row.format === 'ndjson'): void => {
    let type = types.get(header);
    if (type === undefined) types.set(header, (type = new TypeInference(isTyped)));
    type.add(value);
  };
  const look = (column: FoundColumn, value: unknown): void => {
    for (const [key, field] of cells.add(column, value)) infer(`${column.header}.${key}`, field, true);
  };
  // The columns of NDJSON that need a look into their cells, by their names.
  const specialKeys = new Map<string, FoundColumn>();
  const scope = { ...row, registry: await loadRegistry(context.db, row.account_id), given: row.given };
  let end = 0;
  for await (const rows of fileRows(row, counted())) {
    end = rows.at(-1)?.end ?? end;
    for (const { cells, fault } of rows) {
      if (fault !== undefined) continue;
      if (!isJson(cells)) {
        for (const { header, index } of unknown) infer(header, cells[index]);
        for (const { column, index } of special) look(column, cells[index]);
        continue;
      }
      for (const [name, { key, value }] of cells) {
        let header = headers.get(name);
        if (header === undefined) {
          requireUsableHeader(key);
          headers.set(name, (header = key));
          const column = givenKey(key, scope);
          if (column !== undefined && isSpecial(column)) specialKeys.set(name, column);
        }
        const column = specialKeys.get(name);
        if (column !== undefined) look(column, value);
        if (row.unknown_columns === 'create') infer(header, value);
      }
      if (headers.size > importLimits.columns) {
        throw new ImportFailure(
          'header_invalid',
          `The objects of the file have more than ${importLimits.columns} different keys.`,
        );
      }
    }
  }
  return { bytes: Math.max(bytes, end), headers: [...headers.values()], types, cells };
}

/**
 * Finds the attributes that the columns are written to, and creates new ones. From then on, the
 * import uses these attributes, and they cannot be deleted.
 */
async function resolveColumns(
  context: Context,
  row: ImportRow,
  run: LongRun,
  found: Survey,
  signal: AbortSignal,
): Promise<FoundColumn[]> {
  const columns = await context.db.transaction().execute(async (trx) => readColumns(trx, row, run, found));
  if (columns.every(({ meaning }) => meaning !== 'unknown')) return columns;
  const typed = columns.map((column) =>
    column.meaning === 'unknown'
      ? { ...column, new_type: column.new_type ?? found.types.get(column.header)?.type ?? 'text' }
      : column,
  );
  if (row.dry_run)
    return typed.map((column) => (column.new_type === undefined ? column : { ...column, meaning: 'attribute' }));
  const fresh = typed.filter(({ new_type }) => new_type !== undefined);
  await createAttributes(context, row.account_id, fresh, signal);
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

/**
 * Returns the columns of the import. NDJSON has no header, so its columns are found now. The lock
 * of the account keeps their attributes from being deleted in the meantime.
 */
async function readColumns(
  trx: Database,
  row: ImportRow,
  run: LongRun,
  { headers, cells: { jsonKeys } }: Survey,
): Promise<FoundColumn[]> {
  const account = await requireLockedAccount(trx, row.account_id);
  if (account.primary_key !== row.primary_key) throw new ImportFailure('primary_key_changed');
  if (row.format === 'csv' && jsonKeys.size === 0) return [...row.columns];
  const scope = { ...row, registry: await loadRegistry(trx, row.account_id), given: row.given };
  const inFile =
    row.format === 'csv' ? row.columns.filter(isInFile) : headers.length === 0 ? [] : findColumns(headers, scope);
  const columns = addJsonColumns(inFile, jsonKeys, scope);
  await importRuns.note(trx, run, { columns: JSON.stringify(columns) });
  return columns;
}
