import type { TSchema } from 'typebox';

/** Limits of a body. A larger body is refused while it arrives, before it is parsed. */
export interface BodyLimits {
  readonly bytes: number;
  /** Number of values of all kinds: texts, numbers, objects, arrays, … */
  readonly values: number;
  /** Number of different keys in all objects. A key that occurs twice counts once. */
  readonly keys: number;
  /** Maximum depth of nested objects and arrays. */
  readonly depth: number;
}

const KiB = 1024;
const MiB = 1024 * KiB;

/**
 * Limits of bodies, large enough for every valid request. The keyword `x-body` of a shape names its
 * limits.
 *
 * `contacts`: 1000 contacts with 500 attributes and a few hundred lists each. An account has up to
 * 500 attributes, so no request needs more than a few thousand different keys.
 */
export const bodyLimits = {
  /** Bodies with a few fields. */
  small: { bytes: 64 * KiB, values: 2_000, keys: 2_000, depth: 32 },
  /**
   * The four parameters of the user activity operation. An identity of 255 characters,
   * percent-encoded twice, has up to 5 KiB. The API key can be in this body, so the service reads
   * it before it knows the caller. Reading it must cost a few milliseconds at most.
   */
  parameters: { bytes: 16 * KiB, values: 1_000, keys: 1_000, depth: 32 },
  contacts: { bytes: 16 * MiB, values: 1_100_000, keys: 10_000, depth: 32 },
  /** 1000 contacts with 20 attributes each. */
  batch: { bytes: 4 * MiB, values: 200_000, keys: 10_000, depth: 32 },
  /** 10,000 records of about 13 fields. */
  activities: { bytes: 16 * MiB, values: 500_000, keys: 10_000, depth: 32 },
  /** Filters: as many values as fit into the bytes, at about 20 bytes each. */
  filter: { bytes: 4 * MiB, values: 200_000, keys: 2_000, depth: 32 },
  /** 100 attributes with default values of 131,072 characters in total. */
  attributes: { bytes: 2 * MiB, values: 10_000, keys: 2_000, depth: 32 },
  /**
   * Contains an object of the caller (`callback_details.body`) with up to 65,536 characters and 100
   * levels.
   */
  export: { bytes: MiB, values: 50_000, keys: 20_000, depth: 110 },
  /** 600 columns with names of 1,000 characters. */
  columns: { bytes: 4 * MiB, values: 10_000, keys: 10_000, depth: 32 },
  /** One contact with attributes of 1,048,576 characters. */
  contact: { bytes: 4 * MiB, values: 10_000, keys: 10_000, depth: 32 },
} as const satisfies Record<string, BodyLimits>;

/** Returns the limits of the bodies of a shape. */
export function bodyLimitsOf(shape: TSchema): BodyLimits {
  return (shape as { readonly 'x-body'?: BodyLimits })['x-body'] ?? bodyLimits.small;
}
