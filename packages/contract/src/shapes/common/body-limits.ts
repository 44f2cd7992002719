import type { TSchema } from 'typebox';

/** How large a body may be. It is refused while it arrives, before anything of it is parsed. */
export interface BodyLimits {
  readonly bytes: number;
  /** Values of all kinds: texts, numbers, objects, arrays, … */
  readonly values: number;
  /** Different keys of all objects together; see {@link BodyLimits.values} for how often each may stand. */
  readonly keys: number;
  /** How deep objects and arrays may be nested. */
  readonly depth: number;
}

const KiB = 1024;
const MiB = 1024 * KiB;

/**
 * Limits of the bodies, by how much the contract lets them say. A shape names its own as `x-body`.
 *
 * `contacts`: 1000 contacts with 500 attributes and some hundred lists each. An account has at most 500 attributes, so no request needs
 * more than some thousand different keys.
 */
export const bodyLimits = {
  /** Things with a few fields. */
  small: { bytes: 64 * KiB, values: 2_000, keys: 2_000, depth: 32 },
  /**
   * Four parameters of the user activity operation. An identity of 255 characters takes at most 5 KiB, percent-encoded twice. Nobody is
   * known before this body is read, so it must cost little in whatever form it is: here some milliseconds at most.
   */
  parameters: { bytes: 16 * KiB, values: 1_000, keys: 1_000, depth: 32 },
  contacts: { bytes: 16 * MiB, values: 1_100_000, keys: 10_000, depth: 32 },
  /** 1000 contacts with 20 attributes each. */
  batch: { bytes: 4 * MiB, values: 200_000, keys: 10_000, depth: 32 },
  /** 10,000 records of some thirteen fields. */
  activities: { bytes: 16 * MiB, values: 500_000, keys: 10_000, depth: 32 },
  /** Filters: as many values as fit into the bytes if each has some 20. */
  filter: { bytes: 4 * MiB, values: 200_000, keys: 2_000, depth: 32 },
  /** 100 attributes, and default values of 131,072 characters together. */
  attributes: { bytes: 2 * MiB, values: 10_000, keys: 2_000, depth: 32 },
  /** Has an object of the caller with 65,536 characters and 100 levels. */
  export: { bytes: MiB, values: 50_000, keys: 20_000, depth: 110 },
  /** 600 columns with names of 1,000 characters. */
  columns: { bytes: 4 * MiB, values: 10_000, keys: 10_000, depth: 32 },
  /** One contact with attributes of 1,048,576 characters. */
  contact: { bytes: 4 * MiB, values: 10_000, keys: 10_000, depth: 32 },
} as const satisfies Record<string, BodyLimits>;

/** Limits of the bodies of a shape. */
export function bodyLimitsOf(shape: TSchema): BodyLimits {
  return (shape as { readonly 'x-body'?: BodyLimits })['x-body'] ?? bodyLimits.small;
}
