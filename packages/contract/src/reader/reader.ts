import type { Static, TSchema } from 'typebox';
import { formats } from './formats.ts';
import { Faults } from './faults.ts';
import { checkStorable, isLongerThan } from './text.ts';

/**
 * Reads one value tolerantly into its canonical form (decisions, golden rule 1).
 *
 * Reports what is wrong to `faults`; the result is meaningful only when none was added.
 */
export type Reader<T> = (input: unknown, faults: Faults) => T;

/** The keywords of a schema node that readers obey; the names beginning with `x-` are Roster's own. */
interface Keywords {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly TSchema[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: TSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Object: unknown keys that match this expression are refused instead of ignored. */
  readonly 'x-refuse-unknown'?: string;
  /** Optional property: null is a fault instead of "not given". */
  readonly 'x-refuse-null'?: boolean;
  /** Record: how keys are written canonically. */
  readonly 'x-key-case'?: 'upper';
  /** Record: keys that must not be given, in any letter case, and what to do instead. */
  readonly 'x-refuse-keys'?: { readonly keys: readonly string[]; readonly message: string };
  /** String: surrounding white space is kept instead of removed. */
  readonly 'x-keep-space'?: boolean;
}

const cache = new WeakMap<TSchema, Reader<unknown>>();

/**
 * Makes the tolerant reader of a shape.
 *
 * Accepted beyond the shape: field names and enumerated words in any letter case, a single value where an array is due, integers and
 * booleans as text, null for an optional field, unknown keys (ignored, unless the shape refuses them). The result has exactly the
 * fields of the shape. Readers are cached per schema object.
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
  if (node.enum !== undefined) return wordReader(node.enum);
  if (node.const !== undefined) return wordReader([node.const]);
  if (node.anyOf !== undefined) return unionReader(node.anyOf);
  switch (node.type) {
    case 'object':
      return node.patternProperties === undefined ? objectReader(node) : recordReader(node);
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
      return (input, faults) => (input === null ? null : faults.add('invalid_type', 'must be null'));
    case undefined:
      return (input) => input;
    default:
      throw new Error(`no reader for schema type ${String(node.type)}`);
  }
}

function isRecord(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

function objectReader(node: Keywords): Reader<unknown> {
  const required = new Set(node.required);
  const fields = Object.entries(node.properties ?? {}).map(([name, schema], index) => ({
    name,
    index,
    read: readerOf(schema),
    required: required.has(name),
    nullIsAbsent: !required.has(name) && !acceptsNull(schema) && (schema as Keywords)['x-refuse-null'] !== true,
  }));
  const byName = new Map(fields.map((field) => [field.name, field]));
  const byLowerName = new Map(fields.map((field) => [field.name.toLowerCase(), field]));
  const refuseUnknown =
    node.additionalProperties === false
      ? /^/
      : node['x-refuse-unknown'] === undefined
        ? undefined
        : new RegExp(node['x-refuse-unknown'], 'i');

  return (input, faults) => {
    if (!isRecord(input)) return faults.add('invalid_type', 'must be an object');
    const given = fields.map(absent);
    for (const key of Object.keys(input)) {
      const exact = byName.get(key);
      const field = exact ?? byLowerName.get(key.toLowerCase());
      // The spelling of the contract wins over another letter case of the same name.
      if (field !== undefined) {
        if (exact !== undefined || !Object.hasOwn(input, field.name)) given[field.index] = input[key];
      } else if (refuseUnknown?.test(key)) faults.add('unknown_field', 'is not a field of this object', shownKey(key));
    }
    const output: Record<string, unknown> = {};
    for (const field of fields) {
      const value = given[field.index];
      if (value === undefined || (value === null && field.nullIsAbsent)) {
        if (field.required) faults.add('required', 'is required', field.name);
        continue;
      }
      const before = faults.count;
      const read = field.read(value, faults);
      if (faults.count > before) faults.prefix(before, field.name);
      else output[field.name] = read;
    }
    return output;
  };
}

const absent = (): unknown => undefined;

function acceptsNull(schema: TSchema): boolean {
  const { type, anyOf } = schema as Keywords;
  return type === 'null' || (Array.isArray(type) && type.includes('null')) || (anyOf?.some(acceptsNull) ?? false);
}

/** A key as it may stand in a message: hostile names are shortened and made printable. */
function shownKey(key: string): string {
  return JSON.stringify(key.slice(0, 64).toWellFormed()).slice(1, -1);
}

function recordReader(node: Keywords): Reader<unknown> {
  const read = readerOf(Object.values(node.patternProperties!)[0]!);
  const upper = node['x-key-case'] === 'upper';
  const refused = node['x-refuse-keys'];
  const max = node.maxProperties ?? Number.POSITIVE_INFINITY;
  return (input, faults) => {
    if (!isRecord(input)) return faults.add('invalid_type', 'must be an object');
    const keys = Object.keys(input);
    if (keys.length > max) return faults.add('too_many_items', `must have at most ${max} entries`);
    // Without a prototype: a key such as __proto__ is a key like any other.
    const output = Object.create(null) as Record<string, unknown>;
    for (const key of keys) {
      const before = faults.count;
      if (key.trim() === '') faults.add('required', 'a name must not be blank');
      else if (isLongerThan(key, 255)) faults.add('too_long', 'a name must have at most 255 characters');
      else if (refused?.keys.includes(key.trim().toUpperCase())) faults.add('not_allowed', refused.message);
      else checkStorable(key, faults);
      const value = read(input[key], faults);
      if (faults.count > before) faults.prefix(before, shownKey(key));
      else output[upper ? key.trim().toUpperCase() : key] = value;
    }
    return output;
  };
}

function arrayReader(node: Keywords): Reader<unknown> {
  const read = readerOf(node.items!);
  const min = node.minItems ?? 0;
  const max = node.maxItems ?? Number.POSITIVE_INFINITY;
  return (input, faults) => {
    if (input === null) return faults.add('invalid_type', 'must be an array');
    const items: readonly unknown[] = Array.isArray(input) ? input : [input];
    if (items.length < min)
      return faults.add('too_few_items', `must have at least ${min} ${min === 1 ? 'item' : 'items'}`);
    if (items.length > max) return faults.add('too_many_items', `must have at most ${max} items, has ${items.length}`);
    const output: unknown[] = [];
    for (let index = 0; index < items.length && !faults.full; index++) {
      const before = faults.count;
      const value = read(items[index], faults);
      if (faults.count > before) faults.prefix(before, index);
      else output.push(value);
    }
    return output;
  };
}

function stringReader(node: Keywords): Reader<string | undefined> {
  const pattern = node.pattern === undefined ? undefined : new RegExp(node.pattern, 'u');
  const min = node.minLength ?? 0;
  const max = node.maxLength ?? Number.POSITIVE_INFINITY;
  return (input, faults) => {
    if (typeof input !== 'string') return faults.add('invalid_type', 'must be a string');
    const text = node['x-keep-space'] === true ? input : input.trim();
    if (text === '' && min > 0) return faults.add('required', 'must not be blank');
    if (text.length < min) return faults.add('too_short', `must have at least ${min} characters`);
    if (isLongerThan(text, max)) return faults.add('too_long', `must have at most ${max} characters`);
    if (!checkStorable(text, faults)) return undefined;
    if (pattern !== undefined && !pattern.test(text)) return faults.add('invalid_format', `must match ${node.pattern}`);
    return text;
  };
}

function numberReader(node: Keywords, integer: boolean): Reader<number | undefined> {
  const min = node.minimum ?? (integer ? Number.MIN_SAFE_INTEGER : -Number.MAX_VALUE);
  const max = node.maximum ?? (integer ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE);
  const what = integer ? 'must be an integer' : 'must be a number';
  return (input, faults) => {
    const number = typeof input === 'string' && /^\s*-?\d{1,16}\s*$/.test(input) ? Number(input) : input;
    if (typeof number !== 'number' || Number.isNaN(number)) return faults.add('invalid_type', what);
    if (number < min || number > max) return faults.add('out_of_range', `${what} from ${min} to ${max}`);
    if (integer && !Number.isInteger(number)) return faults.add('invalid_type', what);
    return number;
  };
}

function readBoolean(input: unknown, faults: Faults): boolean | undefined {
  if (typeof input === 'boolean') return input;
  const word = typeof input === 'string' ? input.trim().toLowerCase() : undefined;
  if (word === 'true') return true;
  if (word === 'false') return false;
  return faults.add('invalid_type', 'must be true or false');
}

function wordReader(words: readonly unknown[]): Reader<unknown> {
  const byLower = new Map(words.map((word) => [String(word).toLowerCase(), word]));
  const message = words.length === 1 ? `must be "${String(words[0])}"` : `must be one of ${words.join(', ')}`;
  return (input, faults) => {
    if (typeof input !== 'string') return faults.add('invalid_type', message);
    const word = byLower.get(input.trim().toLowerCase());
    return word === undefined ? faults.add('unknown_value', message) : word;
  };
}

/** Alternatives are told apart by the JSON type of the input; the first one that is not null reports what fits none. */
function unionReader(branches: readonly TSchema[]): Reader<unknown> {
  const typed = branches.map((schema) => ({ type: (schema as Keywords).type ?? 'string', read: readerOf(schema) }));
  const first = typed.find((branch) => branch.type !== 'null') ?? typed[0]!;
  return (input, faults) => {
    const type = jsonType(input);
    const branch = typed.find(
      (candidate) => candidate.type === type || (candidate.type === 'integer' && type === 'number'),
    );
    return (branch ?? first).read(input, faults);
  };
}

function jsonType(input: unknown): string {
  if (input === null) return 'null';
  return Array.isArray(input) ? 'array' : typeof input;
}
