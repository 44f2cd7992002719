import { contactTypes, inexactNumber, mobileDigits, readerOf, type Faults } from '@roster/contract';
import { Type } from 'typebox';
import { coerce, isInexactText } from '#features/registry/coerce.ts';
import type { StoredValue } from '#features/registry/registry.ts';
import {
  isLengthOfHours,
  isRelativeMoment,
  readDayOfYear,
  readLength,
  readRelativeDate,
  relativeExamples,
} from './time/relative-dates.ts';

/** A value of a condition as the contract reads it. */
export type ConditionValue = string | number | boolean;

/** How values of the primary key are normalised. Undefined: not at all. */
export type IdentityForm = 'email' | 'mobile' | undefined;

/** Converts a value of a condition to its stored form. Adds a fault when that is not possible. */
type ReadValue = (value: ConditionValue, faults: Faults, form: IdentityForm) => StoredValue | undefined;

/** A type of field in the filter language. */
interface FieldTypeEntry {
  /** The permitted values, for the documentation. */
  readonly doc: string;
  readonly sortable: boolean;
  readonly read: ReadValue;
  /** Reads the text of `contains` and similar operations, if the type has them. */
  readonly readPattern?: ReadValue;
  /** Reads a number that is not 0, if the type has operations with one. */
  readonly readPositive?: ReadValue;
  /** Reads a length of time, if the type has operations with one. */
  readonly readLength?: ReadValue;
}

// Largest number of times in a condition on activities.
const mostTimes = 1_000_000;

/**
 * All types of fields: the data types of attributes, and the types of config and audience fields.
 * Checks, documentation and tests use this table.
 */
export const fieldTypes = {
  id: {
    doc: 'an integer, or its decimal text',
    sortable: true,
    read: readInteger(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  },
  contact_type: {
    doc: `${contactTypes.map((type) => `\`${type}\``).join(', ')}, in any letter case. Sorted by name`,
    sortable: true,
    read: readerOf(Type.Enum([...contactTypes])),
  },
  identity: {
    doc: 'text. If the primary key is EMAIL or MOBILE, e-mail addresses are compared in lower case, and mobile numbers as digits',
    sortable: true,
    read(value, faults, form) {
      if (form === 'mobile') return readMobile(value, faults);
      const text = readText(value, faults)?.trim();
      return form === 'email' ? text?.toLowerCase() : text;
    },
    readPattern: (value, faults, form) => (form === 'mobile' ? readDigits(value, faults) : readPattern(value, faults)),
  },
  email: {
    doc: 'text. Equality ignores letter case',
    sortable: true,
    read(value, faults) {
      return readText(value, faults)?.trim().toLowerCase();
    },
    readPattern,
  },
  mobile: {
    doc: 'digits with the country code. A leading `+`, spaces and dashes are ignored',
    sortable: true,
    read: readMobile,
    readPattern: readDigits,
  },
  text: { doc: 'text. Equality is exact', sortable: true, read: readStored('text'), readPattern },
  long_text: {
    doc: 'nothing. Only `is_null` and `is_not_null` are possible',
    sortable: false,
    read: readStored('long_text'),
  },
  number: { doc: 'a number, or its decimal text', sortable: true, read: readStored('number') },
  boolean: { doc: '`true` or `false`', sortable: true, read: readStored('boolean') },
  date: {
    doc: '`YYYY-MM-DD`, `DD-MM-YYYY` or `DD/MM/YYYY`, or a relative date',
    sortable: true,
    read: readDate,
    readLength: readLengthOf('date'),
  },
  datetime: {
    doc: 'RFC 3339 date-time with an offset, to the millisecond, a plain date, or a relative date. A plain date means the whole day in the time zone of the account: `equals` matches any time on that day, `greater_than` any time after it',
    sortable: true,
    read(value, faults) {
      return coerce('date', value) ?? relativeOf(value) ?? readDateTime(value, faults);
    },
    readLength: readLengthOf('datetime'),
  },
  list: {
    doc: '`audience_id`s of lists of the account',
    sortable: false,
    read: readInteger(1, 2_147_483_647, 'Send the audience_id of the list, not its name'),
  },
  segment: {
    doc: '`audience_id`s of segments of the account',
    sortable: false,
    read: readInteger(1, 2_147_483_647, 'Send the audience_id of the segment, not its name'),
  },
  activity: {
    doc: 'how often: an integer from 0 to 1,000,000, and from 1 for `at_least`',
    sortable: false,
    read: readInteger(0, mostTimes),
    readPositive: readInteger(1, mostTimes, 'Every contact has at least 0 activities'),
  },
} satisfies Record<string, FieldTypeEntry>;

/** The type of a field. It determines the operations and the permitted values. */
export type FieldType = keyof typeof fieldTypes;

/** Returns the table entry of a type. */
export function fieldType(type: FieldType): FieldTypeEntry {
  return fieldTypes[type];
}

/** Reads an integer in the same way as the contract does. */
function readInteger(minimum: number, maximum: number, hint?: string): ReadValue {
  return readerOf(Type.Integer({ minimum, maximum, ...(hint === undefined ? {} : { 'x-hint': hint }) }));
}

function readText(value: ConditionValue, faults: Faults): string | undefined {
  if (typeof value === 'boolean') return faults.add('invalid_type', 'must be a string, not a boolean');
  if (isInexactText('text', value)) return faults.add('out_of_range', inexactNumber);
  return typeof value === 'string' ? value : String(coerce('text', value));
}

/** Refuses an empty text, which matches every value and so could widen an audience by mistake. */
function readPattern(value: ConditionValue, faults: Faults): string | undefined {
  const text = readText(value, faults);
  return text === ''
    ? faults.add('required', 'must not be empty, because an empty text would match every value')
    : text;
}

function readMobile(value: ConditionValue, faults: Faults): string | undefined {
  const text = readText(value, faults);
  // A text that is not a mobile number is not a fault. It just matches no contact.
  return text === undefined ? undefined : (mobileDigits(text) ?? text);
}

function readDigits(value: ConditionValue, faults: Faults): string | undefined {
  const text = readText(value, faults);
  return text === undefined ? undefined : readPattern(text.replaceAll(/^\s*\+|[\s-]/g, ''), faults);
}

function readDateTime(value: ConditionValue, faults: Faults): StoredValue | undefined {
  const message = `must be a date, such as 2026-01-31, a date and time with its offset from UTC, such as 2026-01-31T09:00:00Z, or a relative date, such as ${relativeExamples}`;
  return (
    coerce('datetime', value) ?? faults.add(typeof value === 'string' ? 'invalid_format' : 'invalid_type', message)
  );
}

function relativeOf(value: ConditionValue): string | undefined {
  return typeof value === 'string' ? readRelativeDate(value) : undefined;
}

function readDate(value: ConditionValue, faults: Faults): StoredValue | undefined {
  const relative = relativeOf(value);
  if (relative !== undefined && isRelativeMoment(relative)) {
    return faults.add(
      'not_supported',
      `must be a day or more, such as ${relativeExamples}, because the field has no time of day`,
    );
  }
  const stored = relative ?? coerce('date', value);
  if (stored !== undefined) return stored;
  const message = `must be a date, such as 2026-01-31, or a relative date, such as ${relativeExamples}`;
  return faults.add(typeof value === 'string' ? 'invalid_format' : 'invalid_type', message);
}

function readLengthOf(type: 'date' | 'datetime'): ReadValue {
  const units = type === 'date' ? 'days, weeks, months or years' : 'minutes, hours, days, weeks, months or years';
  return (value, faults) => {
    const length = typeof value === 'boolean' ? undefined : readLength(value);
    if (length !== undefined && !(type === 'date' && isLengthOfHours(length))) return length;
    const message = `must be a length of time without a sign, such as 30 days: a number from 1 (up to 100 years) of ${units}`;
    return faults.add(typeof value === 'string' ? 'invalid_format' : 'invalid_type', message);
  };
}

/** Reads a value of `anniversary`: a day of the year, or relative days. */
export function readAnniversary(value: ConditionValue, faults: Faults): StoredValue | undefined {
  const text = String(value);
  const relative = readRelativeDate(text);
  if (relative !== undefined && !isRelativeMoment(relative)) return relative;
  const message = 'must be a month and a day (MM-DD), such as 12-31, or a relative date, such as today or this month';
  return readDayOfYear(text) ?? faults.add(typeof value === 'string' ? 'invalid_format' : 'invalid_type', message);
}

function readStored(type: 'text' | 'long_text' | 'number' | 'boolean'): ReadValue {
  const messages = {
    text: 'must be a text of at most 1,000 characters',
    long_text: 'must be a text of at most 65,536 characters',
    number: 'must be a number, such as 30',
    boolean: 'must be true or false',
  };
  return (value, faults) => {
    const stored = coerce(type, value);
    if (stored !== undefined) return stored;
    if (isInexactText(type, value)) return faults.add('out_of_range', inexactNumber);
    return faults.add(type === 'text' ? 'too_long' : 'invalid_type', messages[type]);
  };
}
