import type { TSchema } from 'typebox';
import type { BodyLimits } from '../shapes/common/body-limits.ts';
import type { Faults } from './faults.ts';

/**
 * Reads one value tolerantly and returns its canonical form.
 *
 * Adds what is wrong to `faults`. If it added a fault, the result is incomplete: see {@link
 * PartlyRead}.
 */
export type Reader<T> = (input: unknown, faults: Faults) => T;

/**
 * The result of a reader that added faults. Missing fields are absent. A value that could not be
 * read is undefined, so that array indexes stay the same. Further checks can then examine the rest
 * and name the right places.
 */
export type PartlyRead<T> = T extends readonly (infer Item)[]
  ? readonly (PartlyRead<Item> | undefined)[]
  : T extends object
    ? { readonly [Key in keyof T]?: PartlyRead<T[Key]> | undefined }
    : T;

/**
 * The keywords of a schema that readers use. Keywords with `x-` are our own, and the OpenAPI
 * document does not contain them.
 */
export interface Keywords {
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
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  /**
   * For an object that ignores unknown keys: a regular expression of unknown keys that are refused
   * instead, in any letter case. A field in two spellings with two values is then refused, too.
   * `additionalProperties: false` refuses all unknown keys.
   */
  readonly 'x-refuse-unknown'?: string;
  /**
   * For an object that refuses unknown keys: keys, in lower case, that are ignored because known
   * clients send them.
   */
  readonly 'x-ignore-keys'?: readonly string[];
  /**
   * For an object or a record: keys that are refused in any letter case, and the message. The keys
   * are in lower case here, or in the case of `x-key-case` for a record.
   */
  readonly 'x-refuse-keys'?: { readonly keys: readonly string[]; readonly message: string };
  /**
   * For an object: at least one of these fields is required. `message` is the fault when all are
   * missing.
   */
  readonly 'x-needs-one-of'?: { readonly fields: readonly string[]; readonly message: string };
  /**
   * For an object: fields whose shape depends on the value of the field `by`. `by` must come before
   * these fields.
   */
  readonly 'x-variants'?: {
    readonly by: string;
    readonly shapes: Readonly<Record<string, Readonly<Record<string, TSchema>>>>;
  };
  /**
   * For a body: an object must not have the same key twice. The JSON parser of the server checks
   * this.
   */
  readonly 'x-refuse-repeats'?: boolean;
  /** For a body: its limits. */
  readonly 'x-body'?: BodyLimits;
  /** For a text field: blank text counts as absent. In fields of other types, it always does. */
  readonly 'x-blank-is-absent'?: boolean;
  /** For an optional field: null and blank text are faults. They do not count as absent. */
  readonly 'x-refuse-null'?: boolean;
  /** For a field: advice that is added to its messages, as a sentence without a full stop. */
  readonly 'x-hint'?: string;
  /** For a record: the canonical letter case of its keys. */
  readonly 'x-key-case'?: 'upper';
  /** For a string: it is a name for people, so invisible characters are refused. */
  readonly 'x-plain-name'?: boolean;
  /** For a string: surrounding white space is kept. */
  readonly 'x-keep-space'?: boolean;
}

/** Returns the reader of a schema. */
export type ReaderMaker = (schema: TSchema) => Reader<unknown>;

/** Returns whether a value is a JSON object. */
export function isRecord(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

/** Adds the `x-hint` of a schema to a message. */
export function withHint(message: string, { 'x-hint': hint }: Keywords): string {
  return hint === undefined ? message : `${message}. ${hint}`;
}

/** Returns whether a schema allows null. */
export function acceptsNull(schema: TSchema): boolean {
  const { type, anyOf } = schema as Keywords;
  return type === 'null' || (Array.isArray(type) && type.includes('null')) || (anyOf?.some(acceptsNull) ?? false);
}

/**
 * Returns whether a schema accepts free text, or a list of it. Only then can blank text be a value.
 */
export function takesText({ type, enum: words, const: word, anyOf, items }: Keywords): boolean {
  if (words !== undefined || word !== undefined) return false;
  if (anyOf !== undefined) return anyOf.some((schema) => takesText(schema));
  if (type === 'array') return items !== undefined && takesText(items);
  return type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
}
