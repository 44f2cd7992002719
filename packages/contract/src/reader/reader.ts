import type { Static, TSchema } from 'typebox';
import { upperCaseName } from '../text/attribute-names.ts';
import { formats } from './formats.ts';
import type { Faults } from './faults.ts';
import { isRecord, type Keywords, type Reader } from './keywords.ts';
import { givenTwice, objectReader } from './object.ts';
import { enumReader, numberReader, readBoolean, readNull, stringReader } from './scalars.ts';
import { sampleOf } from './sample.ts';
import { checkStorable, shownKey } from '../text/text.ts';
import { wrongType } from './wrong-type.ts';

const cache = new WeakMap<TSchema, Reader<unknown>>();

/**
 * Returns the tolerant reader of a shape. Readers are cached for each schema object.
 *
 * A reader also accepts:
 *
 * - names of fields and words of an enum in any letter case,
 * - a single value instead of an array,
 * - integers and booleans as text,
 * - null for an optional field,
 * - unknown keys, which it ignores unless the shape refuses them.
 *
 * The result has exactly the fields of the shape.
 */
export function readerOf<T extends TSchema>(schema: T): Reader<Static<T>> {
  let reader = cache.get(schema);
  if (reader === undefined) {
    reader = compile(schema);
    cache.set(schema, reader);
  }
  return reader as Reader<Static<T>>;
}

function compile(schema: TSchema): Reader<unknown> {
  const node = schema as Keywords;
  if (node.format !== undefined && node.format in formats) return formats[node.format as keyof typeof formats];
  if (node.enum !== undefined && node.type !== 'integer') return enumReader(node, node.enum);
  if (typeof node.const === 'boolean') return constReader(node.const);
  if (node.const !== undefined) return enumReader(node, [node.const]);
  if (node.anyOf !== undefined) return unionReader(node.anyOf);
  switch (node.type) {
    case 'object':
      return node.patternProperties === undefined ? objectReader(node, readerOf) : recordReader(node);
    case 'array':
      return arrayReader(node);
    case 'string':
      return stringReader(node);
    case 'integer':
    case 'number':
      return numberReader(node, node.type === 'integer');
    case 'boolean':
      return readBoolean;
    case 'null':
      return readNull;
    case undefined:
      return (input) => input;
    default:
      throw new Error(`no reader for schema type ${String(node.type)}`);
  }
}

function constReader(expected: boolean): Reader<boolean | undefined> {
  return (input, faults) => {
    const before = faults.count;
    const value = readBoolean(input, faults);
    if (value === expected || faults.count > before) return value;
    return faults.add('unknown_value', `must be ${expected}`);
  };
}

/** Longest key, and number of keys, whose names a reader of records keeps. */
const [longestKept, mostKept] = [64, 1000];

/**
 * Makes an empty object for any keys. It inherits nothing, so that `__proto__` is an ordinary key.
 * JSON.stringify is faster with such objects than with those of `Object.create(null)`.
 */
const EmptyRecord = function () {} as unknown as new () => Record<string, unknown>;
EmptyRecord.prototype = Object.freeze(Object.create(null));

function recordReader(node: Keywords): Reader<unknown> {
  const read = readerOf(Object.values(node.patternProperties!)[0]!);
  const upper = node['x-key-case'] === 'upper';
  const { keys: notAllowed = [], message = '' } = node['x-refuse-keys'] ?? {};
  const max = node.maxProperties ?? Number.POSITIVE_INFINITY;
  // The same few names come with each contact.
  const checked = new Map<string, string>();
  const keep = (key: string, name: string): void => {
    if (key.length > longestKept) return;
    if (checked.size === mostKept) checked.clear();
    checked.set(key, name);
  };
  return (input, faults) => {
    if (!isRecord(input)) return wrongType(faults, input, 'an object', node.examples?.[0]);
    const keys = Object.keys(input);
    if (keys.length > max)
      return faults.add('too_many_items', `must have at most ${max} names, but has ${keys.length}`);
    const output: Record<string, unknown> = new EmptyRecord();
    let isRespelled = false;
    for (const key of keys) {
      const before = faults.count;
      let name = checked.get(key);
      if (name === undefined) {
        name = upper ? upperCaseName(key.trim()) : key;
        if (notAllowed.includes(name)) faults.add('not_allowed', message);
        else if (checkStorable(key, faults)) keep(key, name);
      }
      if (name !== key) isRespelled = true;
      const value = read(input[key], faults);
      if (faults.count > before) faults.prefix(before, shownKey(key));
      else output[name] = value;
    }
    if (isRespelled) refuseTwoValues(input, faults);
    return output;
  };
}

/**
 * Adds a fault for each name in two spellings with two values. One of the values would be lost. A
 * blank name has no value to lose: no attribute has this name.
 */
function refuseTwoValues(input: Readonly<Record<string, unknown>>, faults: Faults): void {
  const values = new Map<string, unknown>();
  for (const [key, value] of Object.entries(input)) {
    const name = upperCaseName(key.trim());
    if (!values.has(name)) values.set(name, value);
    else if (name !== '' && values.get(name) !== value) faults.add('duplicate', givenTwice, shownKey(key));
  }
}

function arrayReader(node: Keywords): Reader<unknown> {
  const read = readerOf(node.items!);
  const min = node.minItems ?? 0;
  const max = node.maxItems ?? Number.POSITIVE_INFINITY;
  return (input, faults) => {
    if (input === null) return wrongType(faults, input, 'an array', sampleOf(node));
    const items: readonly unknown[] = Array.isArray(input) ? input : [input];
    if (items.length < min)
      return faults.add('too_few_items', `must have at least ${min} ${min === 1 ? 'item' : 'items'}`);
    if (items.length > max)
      return faults.add('too_many_items', `must have at most ${max} items, but has ${items.length}`);
    const output: unknown[] = [];
    for (let index = 0; index < items.length && !faults.full; index++) {
      const before = faults.count;
      output.push(read(items[index], faults));
      if (faults.count > before) faults.prefix(before, index);
    }
    return output;
  };
}

/**
 * Chooses the alternative by the JSON type of the input. Of several objects, chooses the one with a
 * required key that the input has. If none fits, the first one that is not null reports the fault.
 */
function unionReader(branches: readonly TSchema[]): Reader<unknown> {
  const typed = branches.map((schema) => {
    const { type = 'string', required = [] } = schema as Keywords;
    return { type, required, read: readerOf(schema) };
  });
  const first = typed.find((branch) => branch.type !== 'null') ?? typed[0]!;
  return (input, faults) => {
    const type = jsonType(input);
    const branch = typed.find(
      (candidate) => candidate.type === type || (candidate.type === 'integer' && type === 'number'),
    );
    if (type !== 'object' || branch === undefined) return (branch ?? first).read(input, faults);
    const keys = new Set(Object.keys(input as object).map((key) => key.trim().toLowerCase()));
    const byKey = typed.find((candidate) => candidate.required.some((key) => keys.has(key)));
    return (byKey ?? branch).read(input, faults);
  };
}

function jsonType(input: unknown): string {
  if (input === null) return 'null';
  return Array.isArray(input) ? 'array' : typeof input;
}
