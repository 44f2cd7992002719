import type { DataType } from '@roster/contract';
import { coerce } from '#features/registry/coerce.ts';

/** From the narrowest to the widest; every value fits the last. */
const candidates = [
  'boolean',
  'number',
  'date',
  'datetime',
  'text',
  'long_text',
] as const satisfies readonly DataType[];

/** Finds the narrowest data type that all values of a column fit; text when there is none. */
export class TypeInference {
  #open: readonly DataType[];
  #seen = false;
  readonly #isTyped: boolean;

  /** `isTyped`: values come with their types, as in JSON; a text of digits is no number then. */
  constructor(isTyped = false) {
    this.#isTyped = isTyped;
    this.#open = candidates;
  }

  /** Takes one more value into account; blanks fit every type. */
  add(value: unknown): void {
    if (value === null || value === undefined || (typeof value === 'string' && value.trim() === '')) return;
    this.#seen = true;
    // Nearly all columns are settled after some rows, as texts.
    if (this.#open.length === 1) return;
    const isText = this.#isTyped && typeof value === 'string';
    this.#open = this.#open.filter(
      (type) => !(isText && (type === 'number' || type === 'boolean')) && fits(type, value),
    );
  }

  get type(): DataType {
    return this.#seen ? (this.#open[0] ?? 'long_text') : 'text';
  }
}

// 0 and 1 count something more often than they answer yes or no; a leading zero, a plus and more digits than a double holds belong to codes.
const booleanWords = /^\s*(?:true|false|yes|no)\s*$/i;
const plainNumber = /^\s*-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?\s*$/;

function fits(type: DataType, value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return type === 'long_text';
  if (typeof value !== 'string' && (type === 'boolean' || type === 'number')) return typeof value === type;
  if (type === 'boolean' && !booleanWords.test(value as string)) return false;
  if (type === 'number' && !plainNumber.test(value as string)) return false;
  return coerce(type, value) !== undefined;
}
