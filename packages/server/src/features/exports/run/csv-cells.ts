import { sql, type RawBuilder } from 'kysely';
import { fieldSql } from '#features/search/filter/columns.ts';
import type { Field } from '#features/search/filter/fields.ts';
import type { FieldType } from '#features/search/filter/field-types.ts';
import { letterPattern } from '#platform/text/graphemes.ts';
import { fullyMaskedLength, hidden } from '#features/registry/masking.ts';
import { documentColumn, documentJoin } from '#features/search/page/page.ts';
import { formulaStarts } from '#platform/csv/formula-guard.ts';

/** How the cells of a file are written. */
export interface CellOptions {
  /** False: masked attributes come out masked. */
  readonly unmasked: boolean;
  /**
   * True: what a spreadsheet would take for a formula gets an apostrophe in front, and the file a column that says so. False: every text is
   * written exactly as it is.
   */
  readonly formulaGuard: boolean;
}

/** The cells of a file in SQL: `cells` are texts or null, on `contacts` with `joins` joined to it. */
export interface CsvCells {
  readonly cells: readonly RawBuilder<unknown>[];
  readonly joins: RawBuilder<unknown>;
}

type Text = RawBuilder<unknown>;

/**
 * Writes fields as the cells of a CSV file: the texts that search answers with, so that nothing is left to do with the rows but to pass them on.
 *
 * Dates and times are RFC 3339, booleans `true` and `false`, numbers as JSON writes them; masks as in {@link mask}. Each value is taken out
 * of its contact once, however often its cell mentions it.
 */
export function csvCells(fields: readonly Field[], options: CellOptions): CsvCells {
  const values = fields.map((field, index) => sql`${valueText(field)} as ${sql.ref(`c${index}`)}`);
  const document = fields.some(isDocumented) ? documentJoin : sql``;
  return {
    cells: fields.map((field, index) => cellText(field, sql.ref(`value.c${index}`), options)),
    // OFFSET keeps the planner from putting the expressions back in place of each mention.
    joins: sql`${document} cross join lateral (select ${sql.join(values)} offset 0) as value`,
  };
}

function isDocumented(field: Field): boolean {
  return field.attribute !== undefined && field.type !== 'identity';
}

function valueText(field: Field): Text {
  if (isDocumented(field)) return sql`(${documentColumn}->>${sql.lit(field.attribute!.key)}) collate "C"`;
  const { value } = fieldSql(field);
  if (field.type === 'datetime') {
    return sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') collate "C"`;
  }
  return sql`${value}::text collate "C"`;
}

function cellText(field: Field, value: Text, { unmasked, formulaGuard }: CellOptions): Text {
  const text = field.type === 'number' ? numberText(value) : value;
  const shown = unmasked ? text : maskText(field.masking, text);
  return formulaGuard && freeTexts.has(field.type) ? guardText(shown) : shown;
}

/** Types whose values can begin with any character. */
const freeTexts: ReadonlySet<FieldType> = new Set(['text', 'long_text', 'identity', 'email']);

/**
 * The text of a number as JSON writes it. PostgreSQL writes all digits, of which 1e300 has three hundred; from 1e21 and below 1e-6 JSON
 * writes an exponent.
 */
function numberText(text: Text): Text {
  const number = sql`${text}::numeric`;
  const exponential = sql`abs(${number}) >= 1e21 or abs(${number}) < 1e-6`;
  // Shorter texts cannot have so many digits or zeros, and nearly all are: the other conditions cost more. A stored value that is no number is left alone.
  return sql`case
    when octet_length(${text}) < 9 then ${text}
    when octet_length(${text}) <= 21 and not starts_with(ltrim(${text}, '-'), '0.000000') then ${text}
    when ${text} !~ '^-?[0-9]+([.][0-9]+)?$' then ${text}
    when ${exponential} then replace(${text}::float8::text, 'e-0', 'e-')
    else ${text} end`;
}

/** The SQL of {@link mask}. */
function maskText(masking: Field['masking'], text: Text): Text {
  switch (masking) {
    case 'none':
      return text;
    case 'full':
      return sql`case when ${text} is not null then ${sql.lit(hidden)} end`;
    case 'partial':
      return sql`case
        when char_length(${text}) <= ${sql.lit(fullyMaskedLength)} then ${sql.lit(hidden)}
        when octet_length(${text}) = char_length(${text}) then repeat('*', char_length(${text}) - 4) || right(${text}, 4)
        when regexp_count(${text}, ${letterPattern()}) <= ${sql.lit(fullyMaskedLength)} then ${sql.lit(hidden)}
        else repeat('*', regexp_count(${text}, ${letterPattern()}) - 4) || substring(${text} from ${`(?:${letterPattern()}){4}$`}) end`;
  }
}

const startCodes = sql.join(formulaStarts.map((start) => sql.lit(start.charCodeAt(0))));

/** The SQL of {@link guarded}. */
function guardText(text: Text): Text {
  return sql`case when ${beginsFormula(text)} then '''' || ${text} else ${text} end`;
}

function beginsFormula(text: Text): RawBuilder<boolean> {
  return sql<boolean>`ascii(ltrim(${text}, '''')) in (${startCodes})`;
}
