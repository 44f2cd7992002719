import type { CreateImportBody, Import } from '@roster/client';
import { isAttributeName, upperCaseName } from '@roster/contract/text/attribute-names.ts';

/** The meaning of a column in the request that creates the import. */
export type GivenColumn = NonNullable<CreateImportBody['columns']>[string];

/** A column that becomes a new attribute, whose data type the service finds in the whole file. */
export interface NewColumn {
  readonly automatic: string;
}

/** What a person has chosen for a column. */
export type ColumnChoice = GivenColumn | NewColumn;

/** A column of a file. */
export interface PreviewColumn {
  readonly header: string;
  /** The position in the file, from 0. A damaged file has the same header twice. */
  readonly at: number;
  /** Some different values, shortened. */
  readonly samples: readonly string[];
  readonly looksLike: 'boolean' | 'number' | 'date' | 'text';
  readonly suggestion: ColumnChoice;
}

/** The parts of a choice that have options. */
export interface FieldChoice {
  readonly field: string;
  readonly data_type?: 'text' | 'long_text' | 'number' | 'boolean' | 'date' | 'datetime';
  readonly date_format?: 'ymd' | 'mdy' | 'dmy' | 'unix';
  readonly time_zone?: string;
  readonly number_format?: 'comma' | 'point';
  readonly values?: Record<string, 'opt_out' | 'nothing'>;
  readonly other_values?: 'fail' | 'opt_out' | 'nothing';
}

/** Fields of a contact that a column can be written to. */
export const contactFields = [
  'EMAIL',
  'MOBILE',
  'IDENTITY',
  'CREATED_AT',
  'EMAIL_OPTED_OUT',
  'SMS_OPTED_OUT',
  'WHATSAPP_OPTED_OUT',
  'CONTACT_TYPE',
] as const;

/** Returns the kind of a choice. */
export function kindOf(choice: ColumnChoice): 'skip' | 'field' | 'new' | 'lists' | 'json' {
  if (choice === null) return 'skip';
  if (typeof choice === 'string') return 'field';
  if ('automatic' in choice) return 'new';
  if ('list_names' in choice) return 'lists';
  if ('json' in choice) return 'json';
  return 'skip' in choice ? 'skip' : 'field';
}

/** Returns the field of a choice with its options; undefined for other choices. */
export function fieldOf(choice: ColumnChoice): FieldChoice | undefined {
  if (typeof choice === 'string') return { field: choice };
  return choice !== null && 'field' in choice ? choice : undefined;
}

/** Returns the name that the service gives to the attribute of an unknown column. */
export function attributeNameOf(header: string): string {
  return upperCaseName(header.trim().replace(/^attributes\./i, '')).replaceAll(/[\s.-]+/g, '_');
}

/** Returns a valid name of an attribute that is like a header. */
export function validNameOf(header: string): string {
  const plain = attributeNameOf(header)
    .normalize('NFD')
    .replaceAll(/[^A-Za-z0-9_]+/g, '_')
    .replaceAll(/^[^A-Za-z]+|_+$/g, '')
    .toUpperCase()
    .slice(0, 64);
  return isAttributeName(plain) ? plain : `COLUMN_${plain}`.replace(/_$/, '').slice(0, 64);
}

/** What the wizard has besides the columns. */
export interface ImportOptions {
  readonly mode: Import['mode'];
  readonly blankCells: Import['blank_cells'];
  readonly audienceIds: readonly number[];
  readonly optOut: Import['opt_out'];
}

/** Returns the columns as the request needs them, and what happens with all others. */
export function columnsOf(
  choices: Readonly<Record<string, ColumnChoice>>,
  isOpenEnded: boolean,
): Pick<CreateImportBody, 'columns' | 'unknown_columns'> {
  const given: Record<string, GivenColumn> = {};
  let creates = isOpenEnded;
  for (const [header, choice] of Object.entries(choices)) {
    if (choice !== null && typeof choice === 'object' && 'automatic' in choice) creates = true;
    else {
      given[header] = choice;
      if (kindOf(choice) === 'json') creates = true;
    }
  }
  return { columns: given, unknown_columns: creates ? 'create' : 'refuse' };
}
