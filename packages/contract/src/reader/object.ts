import type { TSchema } from 'typebox';
import { nearestName, unknownName } from '../text/nearest-name.ts';
import { sampleOf } from './sample.ts';
import { shownKey } from '../text/text.ts';
import { wrongType } from './wrong-type.ts';
import type { Faults } from './faults.ts';
import {
  acceptsNull,
  isRecord,
  takesText,
  withHint,
  type Keywords,
  type Reader,
  type ReaderMaker,
} from './keywords.ts';

/** One field of an object, compiled. */
interface Field {
  readonly name: string;
  readonly read: Reader<unknown>;
  readonly required: boolean;
  readonly nullIsAbsent: boolean;
  readonly blankIsAbsent: boolean;
  /** The message when the field is missing. */
  readonly missing: string;
  /**
   * Names of the fields inside this field, in lower case. Empty unless it is an object or an array
   * of objects.
   */
  readonly inside: ReadonlySet<string>;
  readonly isArray: boolean;
}

/**
 * Makes the reader of an object with named fields.
 *
 * - Names match in any letter case. If a field has two spellings, the one of the contract wins.
 * - If the object refuses unknown keys, two spellings with two values are a fault. Otherwise one of
 *   two filters could be dropped.
 * - Null and blank text count as absent if they cannot be a value of the field.
 */
export function objectReader(node: Keywords, readerOf: ReaderMaker): Reader<unknown> {
  const fields = fieldsOf(node, readerOf);
  const handleOtherKeys = otherKeyHandler(node, fields);
  const needed = node['x-needs-one-of'];
  const isMissing = (given: readonly unknown[], name: string): boolean => {
    const index = fields.findIndex((field) => field.name === name);
    return given[index] === null || isAbsent(fields[index]!, given[index]);
  };
  const by = node['x-variants']?.by;
  const variants = variantsOf(node, readerOf);
  const names = new Set(fields.map(({ name }) => name));
  const isKnown = (key: string): boolean => names.has(key.toLowerCase());

  return (input, faults) => {
    if (!isRecord(input)) return wrongType(faults, input, 'an object', sampleOf(node));
    // The fast path: most objects only have fields in the spelling of the contract. Only other
    // objects need a look at each key.
    const given: unknown[] = [];
    let exact = 0;
    for (const { name } of fields) {
      const value = input[name];
      given.push(value);
      if (value !== undefined) exact++;
    }
    const keys = Object.keys(input);
    if (keys.length > exact) handleOtherKeys(keys, input, given, faults);
    if (needed?.fields.every((name) => isMissing(given, name)) === true) faults.add('required', needed.message);
    const output: Record<string, unknown> = {};
    let shape = fields;
    for (let index = 0; index < shape.length; index++) {
      const field = shape[index]!;
      const value = given[index];
      if (isAbsent(field, value)) {
        if (field.required) faults.add('required', field.missing + missingHint(field, node, keys, isKnown), field.name);
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

/**
 * Returns an explanation for a missing field, or an empty text.
 *
 * Callers often forget a wrapper such as `data`. Then it says which of the given keys belong inside
 * the field. Otherwise it says which unknown key was probably meant to be the field.
 */
function missingHint(
  { name, inside, isArray }: Field,
  node: Keywords,
  keys: readonly string[],
  isKnown: (key: string) => boolean,
): string {
  const unknown = keys.filter((key) => !isKnown(key));
  const misplaced = unknown.filter((key) => inside.has(key.toLowerCase())).map(shownKey);
  if (misplaced.length > 0) {
    const object = `{"${misplaced[0]}": …}`;
    const belongs = misplaced.length === 1 ? 'belongs' : 'belong';
    return `: ${misplaced.join(' and ')} ${belongs} inside ${name}, as in {"${name}": ${isArray ? `[${object}]` : object}}`;
  }
  for (const key of unknown.slice(0, 10)) {
    const place = placeInside(node, key.trim().toLowerCase());
    if (place !== undefined && /^\w+/.exec(place)?.[0] === name) return `: ${shownKey(key)} belongs inside ${place}`;
  }
  const meant = unknown.slice(0, 10).find((key) => nearestName(key, [name]) !== undefined);
  return meant === undefined ? '' : `. ${shownKey(meant)} is not a field here. Did you mean ${name}?`;
}

function isAbsent({ nullIsAbsent, blankIsAbsent }: Field, value: unknown): boolean {
  if (value === undefined || value === null) return value === undefined || nullIsAbsent;
  return blankIsAbsent && typeof value === 'string' && value.trim() === '';
}

function fieldsOf(node: Keywords, readerOf: ReaderMaker): readonly Field[] {
  const required = new Set(node.required);
  return Object.entries(node.properties ?? {}).map(([name, schema]) => {
    const keywords = schema as Keywords;
    const mayBeEmpty = keywords['x-refuse-null'] !== true;
    return {
      name,
      read: readerOf(schema),
      required: required.has(name),
      blankIsAbsent: keywords['x-blank-is-absent'] === true || (mayBeEmpty && !takesText(keywords)),
      nullIsAbsent: mayBeEmpty && !acceptsNull(schema),
      missing: withHint(missingText(keywords), keywords),
      inside: new Set(Object.keys(propertiesOf(keywords.items ?? keywords)).map((key) => key.toLowerCase())),
      isArray: keywords.items !== undefined,
    };
  });
}

/** Makes the message for a missing field. It lists the words of an enum with few words. */
function missingText({ enum: words = [] }: Keywords): string {
  if (words.length === 1) return `is required and must be "${String(words[0])}"`;
  return words.length > 0 && words.length <= fewWords
    ? `is required and must be one of ${words.join(', ')}`
    : 'is required';
}

const fewWords = 8;

/**
 * Returns, for each value of the field `by`, all fields in the same order with the shapes for that
 * value.
 */
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

type KeyHandler = (
  keys: readonly string[],
  input: Readonly<Record<string, unknown>>,
  given: unknown[],
  faults: Faults,
) => void;

/**
 * Makes the function that handles keys without the spelling of the contract: other spellings of
 * fields, and unknown keys.
 */
function otherKeyHandler(node: Keywords, fields: readonly Field[]): KeyHandler {
  const exact = new Set(fields.map((field) => field.name));
  const indexes = new Map(fields.map((field, index) => [field.name.toLowerCase(), index]));
  const refusedUnknown = unknownPattern(node);
  const ignored = new Set(node['x-ignore-keys']);
  const { keys: notAllowed = [], message = '' } = node['x-refuse-keys'] ?? {};
  const isGivenInContract = (input: object, index: number): boolean => Object.hasOwn(input, fields[index]!.name);
  return (keys, input, given, faults) => {
    for (const key of keys) {
      if (exact.has(key)) continue;
      const index = indexes.get(key.toLowerCase());
      if (index === undefined) {
        const word = key.trim().toLowerCase();
        if (notAllowed.includes(word)) faults.add('not_allowed', message, shownKey(key));
        else if (refusedUnknown?.test(key) === true && !ignored.has(word) && !faults.full) {
          faults.add('unknown_field', unknownKey(key, node), shownKey(key));
        }
      } else if (refusedUnknown === undefined) {
        if (!isGivenInContract(input, index)) given[index] = input[key];
      } else if (given[index] === undefined) given[index] = input[key];
      else if (given[index] !== input[key]) faults.add('duplicate', givenTwice, fields[index]!.name);
    }
  };
}

/** The fault of a name in two spellings with two values. */
export const givenTwice = 'is given twice, with different spellings and values. Leave one of them out';

function unknownPattern(node: Keywords): RegExp | undefined {
  if (node.additionalProperties === false) return /^/;
  const pattern = node['x-refuse-unknown'];
  return pattern === undefined ? undefined : new RegExp(pattern, 'i');
}

/**
 * Makes the message for an unknown key. It suggests a field of the object, or the object inside it
 * that has this field.
 */
function unknownKey(key: string, node: Keywords): string {
  const place = placeInside(node, key.trim().toLowerCase());
  if (place !== undefined) return `${shownKey(key)} belongs inside ${place}, not here.`;
  const names = Object.keys(node.properties ?? {});
  // Other operations have the wrapper `data`, so callers send it here by mistake.
  if (key.trim().toLowerCase() === 'data')
    return `data is not a field here. Leave it out, and send what is inside it: ${names.join(', ')}.`;
  const all = names.length === 1 ? `The only field is ${names[0]}.` : `The fields are ${names.join(', ')}.`;
  return unknownName(key, 'a field here', names, all);
}

/** Returns the fields of an object schema. For alternatives, returns the fields of all of them. */
function propertiesOf({ properties, anyOf = [] }: Keywords): Readonly<Record<string, TSchema>> {
  return Object.assign({}, properties, ...anyOf.map((schema) => (schema as Keywords).properties));
}

/** Returns the path of the nearest object inside a schema that has a field with this name. */
function placeInside(node: Keywords, name: string): string | undefined {
  let level: (readonly [path: string, node: Keywords])[] = [['', node]];
  while (level.length > 0) {
    const inner: (readonly [path: string, node: Keywords])[] = [];
    for (const [path, shape] of level) {
      const properties = propertiesOf(shape);
      if (path !== '' && Object.hasOwn(properties, name)) return path;
      for (const [field, schema] of Object.entries(properties)) {
        const { items } = schema as Keywords;
        const place = path === '' ? field : `${path}.${field}`;
        inner.push(items === undefined ? [place, schema] : [`${place}[]`, items]);
      }
    }
    level = inner;
  }
  return undefined;
}
