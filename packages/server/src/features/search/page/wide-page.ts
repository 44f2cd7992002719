import { answerTextLimit } from '@roster/contract';
import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { ResolvedFilter } from '../filter/checked-filter.ts';
import type { CheckedOutput, OutputField } from './checked-output.ts';
import { compileFilter } from '../filter/compile.ts';
import type { FieldType } from '../filter/field-types.ts';
import { documentJoin, sortColumn, type PageRow } from './page.ts';
import type { AnswerRow, RowReader } from './rows.ts';

/** Most characters of a value in an answer; a contact can be in any number of lists. */
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
};

/** How many rows with these fields fit an answer whatever is in them: at least one. */
export function rowsThatFit(fields: readonly OutputField[]): number {
  const widest = fields.reduce((sum, { field }) => sum + longest[field.type], 1);
  return Math.max(1, Math.floor(answerTextLimit / widest));
}

/**
 * Reads the rows of a page that could be too long for an answer; `page` has the columns of their positions only.
 *
 * They come a few at a time, so that no more of a page that is too long is read than an answer has room for. A contact that was deleted since
 * it was found, or does not match any more, is left out. Throws `answer_too_large`.
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
      // Of the answer, not of the row: a field can be asked for again in another spelling.
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
    from contacts ${documentJoin}
    where ${compileFilter(filter)} and contacts.contact_id = any(${ids}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.found_id, row]));
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return Array.isArray(value) ? value.reduce<number>((sum, item) => sum + lengthOf(item), 0) : 8;
}
