import { decimalText } from '@roster/contract';
import type { StoredValue } from '../registry.ts';
import { slotKindOf, type IndexableType, type SlotKind } from './slot.ts';

/**
 * Number of characters (code points) of a text slot. An index row has at most 2,704 bytes, a
 * character up to 4, and a text up to 1,000 characters.
 */
export const slotCharacters = 600;

// No text slot begins with this character, except those that `irregular` and `noValue` make.
const last = '\u{10FFFF}';
/** Stands for every text that begins with {@link last}. It has {@link slotCharacters} characters. */
const irregular = `${last}${'\u0001'.repeat(slotCharacters - 1)}`;

/**
 * The values of slots of contacts that have no value of the attribute. They are not null, because
 * null means that the account does not use the slot, and such contacts are not in its index. No
 * stored value has them, and they are greater than all others.
 */
export const noValue: Readonly<Record<SlotKind, string>> = { number: 'NaN', text: `${last}${last}` };

/**
 * Converts a value of an attribute to that of its slot, as text for PostgreSQL. Slots have the same
 * order as the values:
 *
 * - Numbers are exact. A boolean is 0 or 1. Dates and date-times are milliseconds since 1970.
 * - Texts are cut off after {@link slotCharacters} characters. A slot of that length has only the
 *   beginning of a text, or stands for an unusual one. Then the text itself must be compared.
 *
 * Never fails: a value of another type, which is possible for a short time after the data type
 * changed, counts as none.
 */
export function slotValue(dataType: IndexableType, value: StoredValue | null | undefined): string {
  if (value === null || value === undefined) return noValue[slotKindOf(dataType)];
  switch (dataType) {
    case 'number':
      return typeof value === 'number' ? String(value) : noValue.number;
    case 'boolean':
      return typeof value === 'boolean' ? (value ? '1' : '0') : noValue.number;
    case 'date':
    case 'datetime':
      return typeof value === 'string' ? String(Date.parse(value)) : noValue.number;
    case 'text':
      return slotText(typeof value === 'number' ? (decimalText(value) ?? String(value)) : String(value));
    default:
      return dataType satisfies never;
  }
}

function slotText(text: string): string {
  if (text.startsWith(last)) return irregular;
  // The length in UTF-16 units is at least the number of characters.
  return text.length < slotCharacters ? text : Array.from(text).slice(0, slotCharacters).join('');
}

/** True when the slot of this text has all of it. */
export function isWhole(text: string): boolean {
  return text.length < slotCharacters && !text.startsWith(last);
}

/**
 * True when a text that contains the pattern cannot be mistaken for {@link noValue}, so that slots
 * can be compared with the pattern.
 */
export function isComparablePattern(pattern: string): boolean {
  return !pattern.includes(last);
}

/** Converts a number of a slot back to the value of the attribute, in stored form. */
export function valueOfSlot(dataType: IndexableType, number: number): StoredValue {
  switch (dataType) {
    case 'boolean':
      return number === 1;
    case 'date':
      return new Date(number).toISOString().slice(0, 10);
    case 'datetime':
      return new Date(number).toISOString();
    default:
      return number;
  }
}
