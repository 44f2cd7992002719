import { Type, type Static } from 'typebox';
import { dataTypes } from '../contacts/attributes.ts';
import { writtenDateFormats } from '../../text/written-dates.ts';
import { writtenNumberFormats } from '../../text/written-numbers.ts';

/** What a value of an opt-out column does to a contact. */
export const optOutEffects = ['opt_out', 'nothing'] as const;

/** What a value does that `values` does not name. */
export const otherOptOutEffects = ['fail', ...optOutEffects] as const;

/** Maximum number of different words in `values` of a column. */
const maxValues = 100;

/** A column that is written to a field or an attribute. */
export const FieldColumn = Type.Object(
  {
    field: Type.String({
      format: 'attribute-mention',
      description:
        'Field (`IDENTITY`, `CONTACT_ID`, `EMAIL`, `MOBILE`, `CREATED_AT`, `EMAIL_OPTED_OUT`, …) or attribute. `CREATED_AT` is the sign-up date. It is stored when a contact is created, and never changes.',
      examples: ['CITY'],
    }),
    data_type: Type.Optional(
      Type.Enum([...dataTypes], {
        description:
          'If the account has no such attribute, the import creates it with this data type. An attribute that exists must have this data type.',
      }),
    ),
    date_format: Type.Optional(
      Type.Enum([...writtenDateFormats], {
        description:
          'For dates: `ymd` (2024-01-31, 2024-01-31 09:00:00), `mdy` (1/31/2024 2:05 PM), `dmy` (31.01.2024 14:05), `unix` (seconds or milliseconds). Without it, `CREATED_AT` is read as `ymd`, and attributes as in contact create.',
      }),
    ),
    time_zone: Type.Optional(
      Type.String({
        format: 'time-zone',
        description: 'Time zone of dates without an offset. Default: UTC. Used with `date_format` or `CREATED_AT`.',
        examples: ['Europe/Berlin'],
      }),
    ),
    number_format: Type.Optional(
      Type.Enum([...writtenNumberFormats], {
        description:
          'For numbers: `comma` (1.234,50) or `point` (1,234.50). Thousands can also be separated by blanks or apostrophes. Without it, numbers are read as in contact create (1234.50).',
      }),
    ),
    values: Type.Optional(
      Type.Unsafe<Record<string, (typeof optOutEffects)[number]>>({
        type: 'object',
        patternProperties: { '^.*$': Type.Enum([...optOutEffects]) },
        maxProperties: maxValues,
        description:
          'For opt-outs: what each value does, in any letter case. Without it, usual words are known, such as `unsubscribed` and `subscribed`. No value opts a contact in again.',
        examples: [{ unsubscribed: 'opt_out', subscribed: 'nothing' }],
      }),
    ),
    other_values: Type.Optional(
      Type.Enum([...otherOptOutEffects], {
        description: 'For opt-outs: what a value does that `values` does not name. Default: `fail`, the row fails.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** A column whose cells have the names of lists, such as tags. */
export const ListNamesColumn = Type.Object(
  {
    list_names: Type.Literal(true, {
      description:
        'True: each cell has the names of lists. The contact is added to them. Lists that do not exist are created.',
    }),
    separator: Type.Optional(
      Type.String({ minLength: 1, maxLength: 5, description: 'Text between the names. Default: a comma.' }),
    ),
  },
  { additionalProperties: false },
);

/** A column whose cells are JSON objects with attributes. */
export const JsonColumn = Type.Object(
  {
    json: Type.Literal(true, {
      description: 'True: each cell is a JSON object. Its keys are treated like columns of the file.',
    }),
  },
  { additionalProperties: false },
);

/** A column that is left out. */
export const SkippedColumn = Type.Object(
  { skip: Type.Literal(true, { description: 'True: the column is left out.' }) },
  { additionalProperties: false },
);

/** The meaning of a column in a request. */
export type GivenColumnBody = GivenColumn | Static<typeof SkippedColumn>;

export type FieldColumn = Static<typeof FieldColumn>;
export type ListNamesColumn = Static<typeof ListNamesColumn>;
export type JsonColumn = Static<typeof JsonColumn>;

/**
 * Meaning of a column: the name of a field or attribute in upper case, an object with options, or
 * null to skip the column.
 */
export type GivenColumn = string | null | FieldColumn | ListNamesColumn | JsonColumn;

/**
 * Returns the shortest form of a column: null for a column that is left out, and the name of a field
 * without options.
 */
export function shortestColumn(column: GivenColumnBody): GivenColumn {
  if (column === null || typeof column === 'string') return column;
  if ('skip' in column) return null;
  const given = Object.fromEntries(Object.entries(column).filter(([, value]) => value !== undefined)) as typeof column;
  return 'field' in given && Object.keys(given).length === 1 ? given.field : given;
}
