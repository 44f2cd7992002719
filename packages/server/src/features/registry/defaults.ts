import type { Refusal } from './refusal.ts';
import { characters, defaultsPerAccount, inexactNumber, type DataType } from '@roster/contract';
import type { AttributeRow } from './attribute-store.ts';
import { isInexactText } from './coerce.ts';
import type { StoredValue } from './registry.ts';

type WithDefault = Pick<AttributeRow, 'default_value'>;

/**
 * Returns why a default value is too long together with the defaults of the other attributes.
 * Returns undefined when there is room, or when the default is not longer than it was before.
 * `rows` has all attributes after the change, including this one.
 */
export function defaultsRefusal(
  rows: readonly WithDefault[],
  attribute: WithDefault,
  before?: WithDefault,
): Refusal | undefined {
  const length = lengthOf(attribute);
  if (length === 0 || (before !== undefined && length <= lengthOf(before))) return undefined;
  if (rows.reduce((sum, row) => sum + lengthOf(row), 0) <= defaultsPerAccount) return undefined;
  const max = defaultsPerAccount.toLocaleString('en');
  const message = `The default values of the account would have more than ${max} characters together. Send a shorter default value.`;
  return { code: 'attribute_defaults', field: 'default_value', message };
}

function lengthOf({ default_value: value }: WithDefault): number {
  return typeof value === 'string' ? characters(value) : 0;
}

/** Makes the message for a default value that does not fit the data type. */
export function defaultForm(dataType: DataType, value: StoredValue): string {
  if (isInexactText(dataType, value)) return inexactNumber;
  return `must be ${forms[dataType]}, because the type is ${dataType}`;
}

const forms: Record<DataType, string> = {
  text: 'a text of at most 1,000 characters',
  long_text: 'a text of at most 65,536 characters',
  number: 'a number, such as 30 or "30"',
  boolean: 'true or false',
  date: 'a date, such as "2026-01-31"',
  datetime: 'a date and time with its offset from UTC, such as "2026-01-31T09:00:00Z"',
};
