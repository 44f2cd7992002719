import type { IndexSizeRow } from './size-store.ts';

/** A mebibyte in bytes. */
export const mebibyte = 1024 * 1024;

/** When an index is rebuilt. */
export interface RebuildRules {
  /** Smaller indexes are left alone: rebuilding them saves nothing worth mentioning. */
  readonly leastBytes: number;
  /** An index is rebuilt when it is this many times as large as a new one. */
  readonly growth: number;
  /** Indexes whose new size would be larger are not rebuilt; 0: none is. */
  readonly mostFreshBytes: number;
  /** Bytes that must stay free for everything else. */
  readonly reserveBytes: number;
}

/**
 * The rules of the service. A rebuild costs as much as a new index. B-trees settle at twice their fresh size at most, so three times is bloat.
 */
export const rebuildRules = {
  leastBytes: 64 * mebibyte,
  growth: 3,
  reserveBytes: 1024 * mebibyte,
} as const;

/** Whether an index has grown so much that a rebuild pays. */
export function isBloated(
  { bytes, fresh_bytes }: Pick<IndexSizeRow, 'bytes' | 'fresh_bytes'>,
  { leastBytes, growth }: Pick<RebuildRules, 'leastBytes' | 'growth'> = rebuildRules,
): boolean {
  return bytes >= leastBytes && fresh_bytes !== null && bytes > growth * fresh_bytes;
}

/** Why an index is not rebuilt now; undefined when it can be. `free`: bytes on the disk of the database, undefined when nobody knows. */
export function obstacle(
  freshBytes: number,
  free: number | undefined,
  { mostFreshBytes, reserveBytes }: RebuildRules,
): 'setting' | 'disk' | undefined {
  if (freshBytes > mostFreshBytes || mostFreshBytes === 0) return 'setting';
  // The new index lies beside the old one, and the write-ahead log has it once more.
  if (free !== undefined && free < 2 * freshBytes + reserveBytes) return 'disk';
  return undefined;
}

/**
 * The fresh size of an index: by the sample, and not below what it was after the last rebuild, counted for the contacts of today. So an
 * estimate that is far too low leads to one rebuild and not to one every hour.
 */
export function freshBytes(
  estimated: number | undefined,
  last: Pick<IndexSizeRow, 'rebuilt_bytes' | 'rebuilt_contacts'> | undefined,
  contacts: number,
): number | null {
  const { rebuilt_bytes: bytes = null, rebuilt_contacts: then = null } = last ?? {};
  const remembered = bytes === null ? undefined : Math.round(bytes * (then! > 0 ? contacts / then! : 1));
  if (estimated === undefined || remembered === undefined) return estimated ?? remembered ?? null;
  return Math.max(estimated, remembered);
}
