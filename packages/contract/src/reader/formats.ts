import {
  attributeNamePattern,
  upperCaseName,
  reservedAttributeNames,
  systemAttributeNames,
} from '../text/attribute-names.ts';
import type { AttributeReference } from '../shapes/contacts/attributes.ts';
import { readDate, readMoment } from './calendar.ts';
import { unknownName } from '../text/nearest-name.ts';
import type { Faults } from './faults.ts';
import {
  checkStorable,
  decimalText,
  inexactNumber,
  isEmail,
  isExactNumber,
  isLongerThan,
  mobileDigits,
  shownKey,
} from '../text/text.ts';
import { isTimeZone, unknownTimeZone } from './time-zone.ts';
import { wrongType } from './wrong-type.ts';

/** Prefix of the stored keys of anonymous contacts. An identity with this prefix is refused. */
export const anonymousPrefix = 'anonymous/';

/**
 * Readers for the keyword `format`. Each takes any input, and returns the canonical value or adds a
 * fault. Other keywords of a schema with one of these formats are ignored.
 */
export const formats = {
  /**
   * The identity of a contact: 1 to 255 characters after trimming. A number becomes its decimal
   * text.
   */
  identity(input: unknown, faults: Faults): string | undefined {
    const text = textOrNumber(input, faults);
    if (text === undefined) return undefined;
    const identity = text.trim();
    if (identity === '') return faults.add('required', 'must not be blank');
    if (isLongerThan(identity, 255)) return faults.add('too_long', 'must have at most 255 characters');
    if (identity.startsWith(anonymousPrefix)) {
      return faults.add('invalid_format', `must not begin with "${anonymousPrefix}", which the service uses itself`);
    }
    return checkStorable(identity, faults) ? identity : undefined;
  },

  /**
   * The caller's identifier of a record: 1 to 255 characters after trimming. A number becomes its
   * decimal text.
   */
  'record-id'(input: unknown, faults: Faults): string | undefined {
    const id = textOrNumber(input, faults)?.trim();
    if (id === undefined) return undefined;
    if (id === '') return faults.add('required', 'must not be blank');
    if (isLongerThan(id, 255)) return faults.add('too_long', 'must have at most 255 characters');
    return checkStorable(id, faults) ? id : undefined;
  },

  /** A plausible e-mail address. It is trimmed and keeps its letter case. */
  email(input: unknown, faults: Faults): string | undefined {
    if (typeof input !== 'string') return wrongType(faults, input, 'a string', 'asha@example.com');
    const email = input.trim();
    if (email === '') return faults.add('required', 'must not be blank. Send null to clear the field, or leave it out');
    if (!isEmail(email)) {
      return faults.add(
        'invalid_format',
        'must be an e-mail address of at most 254 characters, such as asha@example.com',
      );
    }
    return email;
  },

  /** A mobile number as 6 to 15 digits with the country code. */
  mobile(input: unknown, faults: Faults): string | undefined {
    const text = textOrNumber(input, faults);
    if (text === undefined) return undefined;
    return (
      mobileDigits(text) ??
      faults.add('invalid_format', 'must be 6 to 15 digits with the country code, such as 919812345678')
    );
  },

  /**
   * The value of an attribute before its data type is known: string, finite number, boolean or
   * null. A text of any length is accepted. If it is too long, the worker leaves it out, so that
   * one long text does not refuse the whole request.
   */
  'attribute-value'(input: unknown, faults: Faults): string | number | boolean | null | undefined {
    if (typeof input === 'string') return checkStorable(input, faults) ? input : undefined;
    if (typeof input === 'number') {
      // JSON allows 1e999, which is infinite as a double.
      if (!Number.isFinite(input)) return faults.add('out_of_range', 'must be a number of at most 1.797e308');
      return input;
    }
    if (typeof input === 'boolean' || input === null) return input;
    return wrongType(faults, input, 'a string, number, boolean or null');
  },

  /** A value of a search condition: string, finite number or boolean. */
  'condition-value'(input: unknown, faults: Faults): string | number | boolean | undefined {
    if (input === null)
      return faults.add('invalid_type', 'must not be null. Use the operation is_null to find contacts without a value');
    if (typeof input === 'object') return wrongType(faults, input, 'a string, number or boolean');
    if (typeof input === 'string' && isLongerThan(input, 65_536)) {
      return faults.add('too_long', 'must have at most 65,536 characters');
    }
    return formats['attribute-value'](input, faults) ?? undefined;
  },

  /**
   * A JSON object that is stored unchanged: up to 65,536 characters of JSON and 100 levels, with
   * exact numbers.
   */
  'json-object'(input: unknown, faults: Faults): object | undefined {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      return wrongType(faults, input, 'an object');
    }
    const obstacle = obstacleOf(input, maxLevels);
    if (obstacle === 'levels') return faults.add('not_supported', `must have at most ${maxLevels} levels of nesting`);
    if (obstacle === 'digits') {
      return faults.add(
        'out_of_range',
        'must not contain a number that a double cannot hold exactly. Send it as a string',
      );
    }
    // Only after the check of the levels: JSON.stringify recurses, and a deep object would overflow
    // the stack.
    const { length } = JSON.stringify(input);
    return length > 65_536 ? faults.add('too_long', 'must have at most 65,536 characters of JSON') : input;
  },

  /** The IANA name of a time zone in its canonical spelling. */
  'time-zone'(input: unknown, faults: Faults): string | undefined {
    if (typeof input !== 'string') return wrongType(faults, input, 'the IANA name of a time zone', 'Asia/Kolkata');
    const name = input.trim();
    return isTimeZone(name) ? name : faults.add('invalid_format', unknownTimeZone(name));
  },

  /** The name of a new attribute, converted to upper case. */
  'attribute-name'(input: unknown, faults: Faults): string | undefined {
    const name = attributeMention(input, faults);
    if (name === undefined) return undefined;
    if (!attributeNamePattern.test(name)) {
      return faults.add(
        'invalid_format',
        'must begin with a letter and have at most 64 letters, digits and underscores, such as CUSTOMER_TIER',
      );
    }
    if ((reservedAttributeNames as readonly string[]).includes(name)) {
      return faults.add('not_allowed', 'is reserved: contacts have a field with this name. Choose another name');
    }
    return name;
  },

  /** The name of an attribute that may exist, converted to upper case. */
  'attribute-mention': attributeMention,

  /** An attribute by name or number: `"NAME"`, `12`, `"12"`, `{name}` or `{id}`. */
  'attribute-reference'(input: unknown, faults: Faults): AttributeReference | undefined {
    if (typeof input === 'number' || (typeof input === 'string' && /^\s*\d+\s*$/.test(input))) {
      return attributeNumber(input, faults);
    }
    if (typeof input === 'string') return named(attributeMention(input, faults));
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      return wrongType(faults, input, 'the name or the number of an attribute', 'CITY');
    }
    const fields = new Map(Object.entries(input).map(([key, value]) => [key.trim().toLowerCase(), value as unknown]));
    for (const key of fields.keys()) {
      if (key !== 'id' && key !== 'name') {
        faults.add(
          'unknown_field',
          unknownName(key, 'a field here', ['id', 'name'], 'The fields are id, name.'),
          shownKey(key),
        );
      }
    }
    const [id, name] = [fields.get('id') ?? undefined, fields.get('name') ?? undefined];
    if (id !== undefined && name !== undefined)
      return faults.add('not_allowed', 'must have either name or id, not both. Leave one of them out');
    if (id !== undefined) return within('id', faults, () => attributeNumber(id, faults));
    if (name !== undefined) return within('name', faults, () => named(attributeMention(name, faults)));
    return faults.add('required', 'needs name or id of the attribute');
  },

  /** The name of a system attribute, in any letter case. */
  'system-attribute'(input: unknown, faults: Faults): string | undefined {
    const name = attributeMention(input, faults);
    if (name === undefined || (systemAttributeNames as readonly string[]).includes(name)) return name;
    if (faults.full) return undefined;
    const all = `The system attributes are ${systemAttributeNames.join(', ')}.`;
    return faults.add('unknown_value', unknownName(name, 'a system attribute', systemAttributeNames, all));
  },

  /**
   * An existing day as eight digits, DDMMYYYY. A number is accepted, too, unless the day begins
   * with 0.
   */
  'day-digits'(input: unknown, faults: Faults): string | undefined {
    const text = typeof input === 'number' ? String(input) : input;
    if (typeof text !== 'string') return wrongType(faults, input, 'a string with a day as DDMMYYYY', '23072018');
    const digits = text.trim();
    const [, day, month, year] = /^(\d\d)(\d\d)(\d{4})$/.exec(digits) ?? [];
    // For a day that does not exist, Date is invalid or moves to the next month.
    if (new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() === Number(day)) return digits;
    return faults.add(
      'invalid_format',
      'must be a day that exists, written as DDMMYYYY, such as 23072018 for 23 July 2018',
    );
  },

  /** The character that separates the cells of a row. A tab character becomes `tab`. */
  delimiter(input: unknown, faults: Faults): string | undefined {
    const text = typeof input === 'string' ? input : '';
    const word = text === '\t' || text === '\\t' ? 'tab' : text.trim().toLowerCase();
    if ([',', ';', '|', 'tab'].includes(word)) return word;
    return faults.add('unknown_value', 'must be a comma, a semicolon, a vertical bar or the word tab');
  },

  /** A day as `YYYY-MM-DD`. */
  date(input: unknown, faults: Faults): string | undefined {
    const day = typeof input === 'string' ? readDate(input) : undefined;
    if (day !== undefined) return day;
    return faults.add('invalid_format', 'must be a day that exists, as YYYY-MM-DD, such as 2026-01-31');
  },

  /** A moment as RFC 3339 text, converted to UTC. */
  'date-time'(input: unknown, faults: Faults): string | undefined {
    const moment = typeof input === 'string' ? readMoment(input) : undefined;
    if (moment !== undefined) return moment;
    return faults.add(
      'invalid_format',
      'must be a date and time with its offset from UTC (RFC 3339), such as 2026-01-31T09:00:00Z',
    );
  },
} satisfies Record<string, (input: unknown, faults: Faults) => unknown>;

// Hashing, storing and sending the object recurse. The stack allows far more levels than this.
const maxLevels = 100;

/** Returns why an object cannot be stored unchanged, or undefined when it can. */
function obstacleOf(value: unknown, levels: number): 'levels' | 'digits' | undefined {
  if (typeof value === 'number') return isExactNumber(value) ? undefined : 'digits';
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return 'levels';
  for (const part of Object.values(value)) {
    const obstacle = obstacleOf(part, levels - 1);
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
}

function textOrNumber(input: unknown, faults: Faults): string | undefined {
  if (typeof input === 'string') return input;
  if (typeof input !== 'number') return wrongType(faults, input, 'a string or a number');
  return (
    // A number that lost its last digits could be the identity of another contact.
    (isExactNumber(input) ? decimalText(input) : undefined) ?? faults.add('out_of_range', inexactNumber)
  );
}

function attributeMention(input: unknown, faults: Faults): string | undefined {
  if (typeof input !== 'string') return wrongType(faults, input, 'a string with the name of an attribute', 'CITY');
  const name = upperCaseName(input.trim());
  if (name === '') return faults.add('required', 'must not be blank');
  if (isLongerThan(name, 255)) return faults.add('too_long', 'must have at most 255 characters');
  return checkStorable(name, faults) ? name : undefined;
}

function attributeNumber(input: unknown, faults: Faults): AttributeReference | undefined {
  const id = typeof input === 'string' && /^\s*\d{1,10}\s*$/.test(input) ? Number(input) : input;
  if (typeof id === 'number' && Number.isInteger(id) && id >= 1 && id <= 2_147_483_647) return { id };
  return faults.add('invalid_type', 'must be an integer from 1 to 2147483647, the number of an attribute');
}

function named(name: string | undefined): AttributeReference | undefined {
  return name === undefined ? undefined : { name };
}

/**
 * Reads a field of an object, and puts the name of the field in front of the paths of its faults.
 */
function within<T>(field: string, faults: Faults, read: () => T): T {
  const before = faults.count;
  const value = read();
  if (faults.count > before) faults.prefix(before, field);
  return value;
}
