import type { IndexSizeRow } from './size-store.ts';

/** A mebibyte in bytes. */
export const mebibyte = 1024 * 1024;

/** The rules for rebuilding an index. The fresh size is the size of a newly built index. */
export interface RebuildRules {
  /** Smaller indexes are not rebuilt, because that saves very little. */
  readonly minBytes: number;
  /** An index is rebuilt if it is more than this many times as large as its fresh size. */
  readonly growth: number;
  /** Indexes with a larger fresh size are not rebuilt. 0: no index is rebuilt. */
  readonly maxFreshBytes: number;
  /** Bytes of the disk that must stay free for other data. */
  readonly reserveBytes: number;
}

/** The default rules. A B-tree normally grows to twice its fresh size at most. */
export const rebuildRules = {
  minBytes: 64 * mebibyte,
  growth: 3,
  reserveBytes: 1024 * mebibyte,
} as const;

/** True when an index has grown so much that a rebuild is worth its cost. */
export function isBloated(
  { bytes, fresh_bytes }: Pick<IndexSizeRow, 'bytes' | 'fresh_bytes'>,
  { minBytes, growth }: Pick<RebuildRules, 'minBytes' | 'growth'> = rebuildRules,
): boolean {
  return bytes >= minBytes && fresh_bytes !== null && bytes > growth * fresh_bytes;
}

/**
 * Returns why an index cannot be rebuilt now, or undefined if it can.
 * `free`: the free bytes on the disk of the database, or undefined if unknown.
 */
export function rebuildObstacle(
  freshBytes: number,
  free: number | undefined,
  { maxFreshBytes, reserveBytes }: RebuildRules,
): 'setting' | 'disk' | undefined {
  if (freshBytes > maxFreshBytes || maxFreshBytes === 0) return 'setting';
  // During the rebuild, the new index exists in addition to the old one, and also in the
  // write-ahead log.
  if (free !== undefined && free < 2 * freshBytes + reserveBytes) return 'disk';
  return undefined;
}

/**
 * Returns the fresh size of an index: the larger of the estimate and the size after the last
 * rebuild, scaled to the present number of contacts. So an estimate that is much too low causes
 * only one rebuild, and not one every hour.
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
