import { contactTypes, mobileDigits, readerOf, type Faults } from '@roster/contract';
import { Type } from 'typebox';
import { coerce } from '../attributes/coerce.ts';
import type { StoredValue } from '../attributes/registry.ts';

/** A value of a condition as the contract reads it. */
export type ConditionValue = string | number | boolean;

/** How the values of the primary key are compared: absent = as they are (decisions §1). */
export type IdentityForm = 'email' | 'mobile' | undefined;

/** Reads a value of a condition into the form that is stored, or reports why it does not fit. */
type ReadValue = (value: ConditionValue, faults: Faults, form: IdentityForm) => StoredValue | undefined;

/** What a type of field means in the filter language. */
interface FieldTypeEntry {
  /** Which values it compares with, for the documentation. */
  readonly doc: string;
  readonly sortable: boolean;
  readonly read: ReadValue;
  /** Reads the text that `contains` and its like look for; only for types that have these operations. */
  readonly readPattern?: ReadValue;
}

/**
 * Every type of field: the data types of attributes (decisions §4) and those of the config and audience fields (decisions §3).
 * Checks, documentation and tests are derived from this table.
 */
export const fieldTypes = {
  id: {
    doc: 'an integer, or its decimal text',
    sortable: true,
    read: readInteger(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  },
  contact_type: {
    doc: `${contactTypes.map((type) => `\`${type}\``).join(', ')}, in any letter case; sorted by name`,
    sortable: true,
    read(value, faults) {
      if (typeof value !== 'string') return faults.add('invalid_type', 'must be a string with a contact type');
      const word = value.trim().toLowerCase();
      const type = contactTypes.find((candidate) => candidate === word);
      return type ?? faults.add('unknown_value', `must be one of ${contactTypes.join(', ')}`);
    },
  },
  identity: {
    doc: 'text; compared in the form of the primary key: e-mail addresses in lower case, mobile numbers as digits',
    sortable: true,
    read(value, faults, form) {
      if (form === 'mobile') return readMobile(value, faults);
      const text = readText(value, faults)?.trim();
      return form === 'email' ? text?.toLowerCase() : text;
    },
    readPattern: (value, faults, form) => (form === 'mobile' ? readDigits(value, faults) : readPattern(value, faults)),
  },
  email: {
    doc: 'text; equality ignores letter case',
    sortable: true,
    read(value, faults) {
      if (typeof value !== 'string') return faults.add('invalid_type', 'must be a string with an e-mail address');
      return value.trim().toLowerCase();
    },
    readPattern,
  },
  mobile: {
    doc: 'digits with the country code; a leading `+`, spaces and dashes are removed',
    sortable: true,
    read: readMobile,
    readPattern: readDigits,
  },
  text: { doc: 'text; equality is exact', sortable: true, read: readStored('text'), readPattern },
  long_text: { doc: 'none: only tested for null', sortable: false, read: readStored('long_text') },
  number: { doc: 'a number, or its decimal text', sortable: true, read: readStored('number') },
  boolean: { doc: '`true` or `false`', sortable: true, read: readStored('boolean') },
  date: { doc: '`YYYY-MM-DD`, `DD-MM-YYYY` or `DD/MM/YYYY`', sortable: true, read: readStored('date') },
  datetime: {
    doc: 'RFC 3339 date-time with an offset, to the millisecond; a plain date means midnight in UTC, so that a whole day is `greater_than_or_equal` `2026-01-31` and `less_than` `2026-02-01`',
    sortable: true,
    read(value, faults) {
      const day = coerce('date', value);
      return day === undefined ? readDateTime(value, faults) : `${String(day)}T00:00:00.000Z`;
    },
  },
  list: {
    doc: '`audience_id`s of lists of the account',
    sortable: false,
    read: readInteger(1, 2_147_483_647),
  },
  segment: {
    doc: '`audience_id`s of segments of the account',
    sortable: false,
    read: readInteger(1, 2_147_483_647),
  },
} satisfies Record<string, FieldTypeEntry>;

/** The type of a field: decides its operations and the values that it compares with. */
export type FieldType = keyof typeof fieldTypes;

/** The entry of a type, for code that treats all types alike. */
export function fieldType(type: FieldType): FieldTypeEntry {
  return fieldTypes[type];
}

/** Reads what the contract reads where an integer is due. */
function readInteger(minimum: number, maximum: number): ReadValue {
  return readerOf(Type.Integer({ minimum, maximum }));
}

function readText(value: ConditionValue, faults: Faults): string | undefined {
  if (typeof value === 'boolean') return faults.add('invalid_type', 'must be a string');
  return typeof value === 'string' ? value : String(coerce('text', value));
}

/** An empty text would match every value: a condition that a caller forgot to fill in must not widen the audience. */
function readPattern(value: ConditionValue, faults: Faults): string | undefined {
  const text = readText(value, faults);
  return text === '' ? faults.add('required', 'must not be empty: it would match every value') : text;
}

function readMobile(value: ConditionValue, faults: Faults): string | undefined {
  const text = readText(value, faults);
  if (text === undefined) return undefined;
  return (
    mobileDigits(text) ??
    faults.add('invalid_format', 'must be 6 to 15 digits with the country code, such as 919812345678')
  );
}

function readDigits(value: ConditionValue, faults: Faults): string | undefined {
  const digits = readPattern(value, faults)?.replaceAll(/^\s*\+|[\s-]/g, '');
  if (digits === undefined || /^\d+$/.test(digits)) return digits;
  return faults.add('invalid_format', 'must be digits: mobile numbers are stored as digits only');
}

function readDateTime(value: ConditionValue, faults: Faults): StoredValue | undefined {
  const message = 'must be an RFC 3339 date-time with an offset, such as 2026-01-31T09:00:00Z, or a date';
  return (
    coerce('datetime', value) ?? faults.add(typeof value === 'string' ? 'invalid_format' : 'invalid_type', message)
  );
}

function readStored(type: 'text' | 'long_text' | 'number' | 'boolean' | 'date'): ReadValue {
  const messages = {
    text: 'must be a text of at most 1,000 characters',
    long_text: 'must be a text of at most 65,536 characters',
    number: 'must be a number',
    boolean: 'must be true or false',
    date: 'must be a date, such as 2026-01-31',
  };
  return (value, faults) => {
    const stored = coerce(type, value);
    if (stored !== undefined) return stored;
    const code =
      type === 'text' ? 'too_long' : type === 'date' && typeof value === 'string' ? 'invalid_format' : 'invalid_type';
    return faults.add(code, messages[type]);
  };
}
