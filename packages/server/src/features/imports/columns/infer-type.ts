import { decimalText, type DataType } from '@roster/contract';
import { coerce } from '#features/registry/coerce.ts';

/** From the narrowest to the widest. Every value fits the last one. */
const candidates = [
  'boolean',
  'number',
  'date',
  'datetime',
  'text',
  'long_text',
] as const satisfies readonly DataType[];

/** Finds the narrowest data type that fits all values of a column. Without values, it is `text`. */
export class TypeInference {
  #fitting: readonly DataType[] = candidates;
  #hasValue = false;
  readonly #isTyped: boolean;

  /** `isTyped`: values have JSON types. Then a text of digits is not a number. */
  constructor(isTyped = false) {
    this.#isTyped = isTyped;
  }

  /** Adds a value. A blank value fits every type. */
  add(value: unknown): void {
    if (value === null || value === undefined || (typeof value === 'string' && value.trim() === '')) return;
    this.#hasValue = true;
    if (this.#fitting.length === 1) return;
    const isText = this.#isTyped && typeof value === 'string';
    this.#fitting = this.#fitting.filter(
      (type) => !(isText && (type === 'number' || type === 'boolean')) && fits(type, value),
    );
  }

  get type(): DataType {
    return this.#hasValue ? (this.#fitting[0] ?? 'long_text') : 'text';
  }
}

// 0 and 1 are usually numbers. A leading zero, a plus sign, or more digits than a number can keep
// are signs of a code, such as a postal code.
const booleanWords = /^\s*(?:true|false|yes|no)\s*$/i;
const plainNumber = /^\s*-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?\s*$/;

function fits(type: DataType, value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return type === 'long_text';
  if (typeof value !== 'string' && (type === 'boolean' || type === 'number')) return typeof value === type;
  if (type === 'boolean' && !booleanWords.test(value as string)) return false;
  if (type === 'number' && !(plainNumber.test(value as string) && keepsDigits(value as string))) return false;
  return coerce(type, value) !== undefined;
}

/** Returns whether a number has all digits of its text, apart from zeros at the end. */
function keepsDigits(text: string): boolean {
  const digits = text.trim().replace(/^-/, '');
  // A double keeps 15 digits, and often more.
  return digits.length <= 15 || decimalText(Number(digits)) === digits.replace(/\.?0+$/, '');
}
