import { shownKey } from './text.ts';
import type { Faults } from './faults.ts';
import { acceptsNull, isRecord, withHint, type Keywords, type Reader, type ReaderMaker } from './keywords.ts';

/** One field of an object, made ready. */
interface Field {
  readonly name: string;
  readonly read: Reader<unknown>;
  readonly required: boolean;
  readonly nullIsAbsent: boolean;
  readonly blankIsAbsent: boolean;
  readonly missing: string;
}

/**
 * Makes the reader of an object with named fields.
 *
 * Names are compared in any letter case. The spelling of the contract wins over another one of the same field, except where unknown keys
 * are refused: there nobody can say which of two filters was meant, and one of them would be dropped.
 */
export function objectReader(node: Keywords, readerOf: ReaderMaker): Reader<unknown> {
  const fields = fieldsOf(node, readerOf);
  const takeOtherKeys = otherKeys(node, fields);
  const needed = node['x-needs-one-of'];
  const neededIndexes = needed?.fields.map((name) => fields.findIndex((field) => field.name === name));
  const by = node['x-variants']?.by;
  const variants = variantsOf(node, readerOf);

  return (input, faults) => {
    if (!isRecord(input)) return faults.add('invalid_type', 'must be an object');
    // Most objects have nothing but fields in the spelling of the contract; only the others have their keys looked at one by one.
    const given: unknown[] = [];
    let exact = 0;
    for (const { name } of fields) {
      const value = input[name];
      given.push(value);
      if (value !== undefined) exact++;
    }
    const keys = Object.keys(input);
    if (keys.length > exact) takeOtherKeys(keys, input, given, faults);
    if (neededIndexes?.every((index) => given[index] === undefined || given[index] === null) === true) {
      faults.add('required', needed!.message);
    }
    const output: Record<string, unknown> = {};
    let shape = fields;
    for (let index = 0; index < shape.length; index++) {
      const field = shape[index]!;
      const value = given[index];
      if (value === undefined || (value === null && field.nullIsAbsent) || (field.blankIsAbsent && isBlank(value))) {
        if (field.required) faults.add('required', field.missing, field.name);
        continue;
      }
      const before = faults.count;
      const read = field.read(value, faults);
      if (faults.count > before) faults.prefix(before, field.name);
      output[field.name] = read;
      if (field.name === by) shape = variants?.get(read) ?? fields;
    }
    return output;
  };
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

function fieldsOf(node: Keywords, readerOf: ReaderMaker): readonly Field[] {
  const required = new Set(node.required);
  return Object.entries(node.properties ?? {}).map(([name, schema]) => ({
    name,
    read: readerOf(schema),
    required: required.has(name),
    blankIsAbsent: (schema as Keywords)['x-blank-is-absent'] === true,
    nullIsAbsent: !acceptsNull(schema) && (schema as Keywords)['x-refuse-null'] !== true,
    missing: withHint('is required', schema as Keywords),
  }));
}

/** By the value that chooses them: the fields in the same order, some of another shape. */
function variantsOf(node: Keywords, readerOf: ReaderMaker): ReadonlyMap<unknown, readonly Field[]> | undefined {
  const variants = node['x-variants'];
  if (variants === undefined) return undefined;
  return new Map(
    Object.entries(variants.shapes).map(([value, properties]) => [
      value,
      fieldsOf({ ...node, properties: { ...node.properties, ...properties } }, readerOf),
    ]),
  );
}

type TakeKeys = (
  keys: readonly string[],
  input: Readonly<Record<string, unknown>>,
  given: unknown[],
  faults: Faults,
) => void;

/** What becomes of the keys that are not spelled like a field of the contract: another spelling of one, or unknown. */
function otherKeys(node: Keywords, fields: readonly Field[]): TakeKeys {
  const exact = new Set(fields.map((field) => field.name));
  const indexes = new Map(fields.map((field, index) => [field.name.toLowerCase(), index]));
  const refusedUnknown = unknownPattern(node);
  const { keys: notAllowed = [], message = '' } = node['x-refuse-keys'] ?? {};
  const known = `is not a field here; the fields are ${fields.map((field) => field.name).join(', ')}`;
  const isGivenInContract = (input: object, index: number): boolean => Object.hasOwn(input, fields[index]!.name);
  return (keys, input, given, faults) => {
    for (const key of keys) {
      if (exact.has(key)) continue;
      const index = indexes.get(key.toLowerCase());
      if (index === undefined) {
        if (notAllowed.includes(key.trim().toLowerCase())) faults.add('not_allowed', message, shownKey(key));
        else if (refusedUnknown?.test(key) === true) faults.add('unknown_field', known, shownKey(key));
      } else if (refusedUnknown === undefined) {
        if (!isGivenInContract(input, index)) given[index] = input[key];
      } else if (given[index] === undefined) given[index] = input[key];
      else if (given[index] !== input[key]) faults.add('duplicate', givenTwice, fields[index]!.name);
    }
  };
}

const givenTwice = 'is given twice, in two spellings and with two values: leave one of them out';

function unknownPattern(node: Keywords): RegExp | undefined {
  if (node.additionalProperties === false) return /^/;
  const pattern = node['x-refuse-unknown'];
  return pattern === undefined ? undefined : new RegExp(pattern, 'i');
}
