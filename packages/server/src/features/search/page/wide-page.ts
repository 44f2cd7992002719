import { answerTextLimit } from '@roster/contract';
import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { ResolvedFilter } from '../filter/checked-filter.ts';
import type { CheckedOutput, OutputField } from './checked-output.ts';
import { compileAccount, compileForChosen } from '../filter/compile.ts';
import type { FieldType } from '../filter/field-types.ts';
import { sortColumn, type PageRow } from './page.ts';
import type { AnswerRow, RowReader } from './rows.ts';

/** Maximum number of characters of a value. For lists, whose number has no limit, a guess. */
const longest: Readonly<Record<FieldType, number>> = {
  id: 16,
  contact_type: 16,
  identity: 255,
  email: 254,
  mobile: 15,
  text: 1000,
  long_text: 65_536,
  number: 24,
  boolean: 5,
  date: 10,
  datetime: 24,
  list: 65_536,
  segment: 0,
  activity: 0,
};

/** Returns how many rows with these fields certainly fit into a response, and at least 1. */
export function rowsThatFit(fields: readonly OutputField[]): number {
  const widest = fields.reduce((sum, { field }) => sum + longest[field.type], 1);
  return Math.max(1, Math.floor(answerTextLimit / widest));
}

/**
 * Reads the rows of a page that may be too long for a response. `page` has only their positions.
 *
 * Reads a few rows at a time, so that memory stays bounded even if the page is too long.
 * Leaves out contacts that were deleted, or stopped matching, after their positions were read.
 * Throws `answer_too_large`.
 */
export async function readWidePage(
  db: Database,
  { filter, output: { fields, sorting } }: { readonly filter: ResolvedFilter; readonly output: CheckedOutput },
  page: readonly PageRow[],
  reader: RowReader,
): Promise<AnswerRow[]> {
  // The last sort key of a row is its contact_id.
  const ids = page.map((row) => row[sortColumn(sorting.length - 1)] as number);
  const atOnce = rowsThatFit(fields);
  const answers: AnswerRow[] = [];
  let length = 0;
  for (let from = 0; from < ids.length; from += atOnce) {
    const part = ids.slice(from, from + atOnce);
    const rows = await readRows(db, filter, reader, part);
    for (const id of part) {
      const row = rows.get(id);
      if (row === undefined) continue;
      const answer = reader.toAnswer(row);
      // The converted row, because a field can be in the output twice, in different spellings.
      length += lengthOf(Object.values(answer));
      if (length > answerTextLimit) throw new ApiError('answer_too_large', { params: { rows: answers.length } });
      answers.push(answer);
    }
  }
  return answers;
}

type Row = Readonly<Record<string, unknown>>;

async function readRows(
  db: Database,
  filter: ResolvedFilter,
  reader: RowReader,
  ids: readonly number[],
): Promise<Map<number, Row>> {
  const { rows } = await sql<Row & { found_id: number }>`
    select contacts.contact_id as found_id, ${sql.join(reader.valueColumns)}
    from contacts${reader.join}
    where ${compileAccount(filter)} and ${compileForChosen(filter)} and contacts.contact_id = any(${ids}::bigint[])`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.found_id, row]));
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return Array.isArray(value) ? value.reduce<number>((sum, item) => sum + lengthOf(item), 0) : 8;
}
