import { sql, type RawBuilder } from 'kysely';
import { fieldSql } from '#features/search/filter/columns.ts';
import { isInDocument, type Field } from '#features/search/filter/fields.ts';
import type { FieldType } from '#features/search/filter/field-types.ts';
import { graphemePattern } from '#platform/text/graphemes.ts';
import { fullyMaskedLength, hidden } from '#features/registry/masking.ts';
import { documentColumn, documentJoin } from '#features/search/page/page.ts';
import { formulaStarts } from '#platform/csv/formula-guard.ts';

/** How the cells of a file are written. */
export interface CellOptions {
  /** True: the values of masked attributes are not masked. */
  readonly unmasked: boolean;
  /** True: texts that look like formulas begin with an apostrophe, as {@link guarded} says. */
  readonly formulaGuard: boolean;
}

/**
 * SQL for the cells of a file: texts or null. It needs `joins` after `from contacts`, and before them
 * `derivedJoin` if there are derived attributes.
 */
export interface CsvCells {
  readonly cells: readonly RawBuilder<unknown>[];
  readonly joins: RawBuilder<unknown>;
}

type Text = RawBuilder<unknown>;

/**
 * Makes the SQL for the cells of a CSV file. PostgreSQL writes the same texts that a search
 * returns, so the service only streams them:
 * - dates and times as in RFC 3339
 * - booleans as `true` and `false`
 * - numbers as in JSON
 * - masks as in {@link mask}
 *
 * Each value is read from its contact once, even if the SQL of its cell uses it several times.
 */
export function csvCells(fields: readonly Field[], options: CellOptions): CsvCells {
  const values = fields.map((field, index) => sql`${valueText(field)} as ${sql.ref(`c${index}`)}`);
  const document = fields.some(isInDocument) ? documentJoin : sql``;
  return {
    cells: fields.map((field, index) => cellText(field, sql.ref(`value.c${index}`), options)),
    // Without OFFSET, the planner would inline the expressions, and evaluate them several times.
    joins: sql`${document} cross join lateral (select ${sql.join(values)} offset 0) as value`,
  };
}

function valueText(field: Field): Text {
  if (isInDocument(field)) return sql`(${documentColumn}->>${sql.lit(field.attribute!.key)}) collate "C"`;
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

/** Types whose values can begin like a formula. */
const freeTexts: ReadonlySet<FieldType> = new Set(['text', 'long_text', 'identity', 'email']);

/**
 * Returns a number as JSON writes it: with an exponent from 1e21 on, and below 1e-6. PostgreSQL
 * writes all digits, for example 301 digits for 1e300.
 */
function numberText(text: Text): Text {
  const number = sql`${text}::numeric`;
  const exponential = sql`abs(${number}) >= 1e21 or abs(${number}) < 1e-6`;
  // One of the first two conditions is true for nearly all numbers. They are cheap, and these
  // numbers need no exponent. The third condition returns a stored value that is not a number
  // unchanged.
  return sql`case
    when octet_length(${text}) < 9 then ${text}
    when octet_length(${text}) <= 21 and not starts_with(ltrim(${text}, '-'), '0.000000') then ${text}
    when ${text} !~ '^-?[0-9]+([.][0-9]+)?$' then ${text}
    when ${exponential} then replace(${text}::float8::text, 'e-0', 'e-')
    else ${text} end`;
}

/** {@link mask} in SQL. */
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
        when regexp_count(${text}, ${graphemePattern()}) <= ${sql.lit(fullyMaskedLength)} then ${sql.lit(hidden)}
        else repeat('*', regexp_count(${text}, ${graphemePattern()}) - 4) || substring(${text} from ${`(?:${graphemePattern()}){4}$`}) end`;
  }
}

const startCodes = sql.join(formulaStarts.map((start) => sql.lit(start.charCodeAt(0))));

/** {@link guarded} in SQL. */
function guardText(text: Text): Text {
  return sql`case when ascii(ltrim(${text}, '''')) in (${startCodes}) then '''' || ${text} else ${text} end`;
}
