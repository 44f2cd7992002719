import type { TSchema } from 'typebox';
import type { BodyLimits } from '../shapes/common/body-limits.ts';
import type { Faults } from './faults.ts';

/**
 * Reads one value tolerantly into its canonical form (decisions, golden rule 1).
 *
 * Reports what is wrong to `faults`. When any was added the result is only what could be read, see {@link PartlyRead}.
 */
export type Reader<T> = (input: unknown, faults: Faults) => T;

/**
 * What a reader answers beside faults: fields that were missing are absent, and whatever could not be read is undefined in its place, so
 * that further checks can go on with the rest and name the right places.
 */
export type PartlyRead<T> = T extends readonly (infer Item)[]
  ? readonly (PartlyRead<Item> | undefined)[]
  : T extends object
    ? { readonly [Key in keyof T]?: PartlyRead<T[Key]> | undefined }
    : T;

/** The keywords of a schema node that readers obey; the names beginning with `x-` are Roster's own and are not published. */
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
   * Object that is open: unknown keys that match this expression, in any letter case, are refused instead of ignored, and so is a field that
   * is given twice in different spellings. `additionalProperties: false` refuses all unknown keys.
   */
  readonly 'x-refuse-unknown'?: string;
  /** Object that refuses unknown keys: keys (in lower case) that clients are known to send without a meaning; they are ignored. */
  readonly 'x-ignore-keys'?: readonly string[];
  /** Object or record: keys (in lower case, in a record as it writes them) that must not be given in any letter case, and what to do instead. */
  readonly 'x-refuse-keys'?: { readonly keys: readonly string[]; readonly message: string };
  /** Object: one of these fields at least must be given, or the object says nothing; and the message for when none is. */
  readonly 'x-needs-one-of'?: { readonly fields: readonly string[]; readonly message: string };
  /** Object: fields that have another shape depending on the value of the field `by`, which stands before them; by that value. */
  readonly 'x-variants'?: {
    readonly by: string;
    readonly shapes: Readonly<Record<string, Readonly<Record<string, TSchema>>>>;
  };
  /** Body: a key that an object has twice is a fault; what reads the JSON has to look for it, see http/repeated-keys.ts of the server. */
  readonly 'x-refuse-repeats'?: boolean;
  /** Body: how large it may be; see `BodyLimits`. */
  readonly 'x-body'?: BodyLimits;
  /** Property that takes text: a blank one counts as absent. In a property of another type it always does. */
  readonly 'x-blank-is-absent'?: boolean;
  /** Optional property: null and blank text are faults instead of counting as absent. */
  readonly 'x-refuse-null'?: boolean;
  /** Property, word or number: what to do, as a sentence without its full stop, when it is missing, no such word, or of another type. */
  readonly 'x-hint'?: string;
  /** Record: how keys are written canonically. */
  readonly 'x-key-case'?: 'upper';
  /** String: surrounding white space is kept instead of removed. */
  readonly 'x-keep-space'?: boolean;
}

/** Makes the reader of a part of a shape. */
export type ReaderMaker = (schema: TSchema) => Reader<unknown>;

/** True for a JSON object. */
export function isRecord(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

/** A text with what to do about it. */
export function withHint(message: string, { 'x-hint': hint }: Keywords): string {
  return hint === undefined ? message : `${message}. ${hint}`;
}

/** Whether a shape allows null. */
export function acceptsNull(schema: TSchema): boolean {
  const { type, anyOf } = schema as Keywords;
  return type === 'null' || (Array.isArray(type) && type.includes('null')) || (anyOf?.some(acceptsNull) ?? false);
}

/** Whether a shape takes free text, or a list of it, so that a blank text is a value of its own. */
export function takesText({ type, enum: words, const: word, anyOf, items }: Keywords): boolean {
  if (words !== undefined || word !== undefined) return false;
  if (anyOf !== undefined) return anyOf.some((schema) => takesText(schema));
  if (type === 'array') return items !== undefined && takesText(items);
  return type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
}
