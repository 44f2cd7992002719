import type { Permission, RunningWork } from '@roster/contract';
import type { Context } from '#platform/context.ts';

/** One kind of long work that a feature does. */
export interface WorkSource {
  /** The permission that a caller needs to see the work. */
  readonly permission: Permission;
  /**
   * Returns the work of an account that waits or runs, or that ended after `since`, newest first. It
   * is called about once a second while somebody watches, so it must be cheap.
   */
  list(context: Context, accountId: number, since: Date): Promise<readonly RunningWork[]>;
}

declare module '#platform/feature.ts' {
  interface Feature {
    /** The long work that the feature does, with its progress. */
    readonly work?: WorkSource;
  }
}

/** The progress of work that counts rows. */
export type Progress = Pick<RunningWork, 'percent' | 'rows_per_second' | 'seconds_left'>;

/**
 * Computes the progress from the rows so far. `total` may be an estimate, so only completed work has
 * 100 percent. `since` is when the first of these rows was begun.
 */
export function progressOf(
  { done, total, since }: { readonly done: number; readonly total: number | null; readonly since: Date | null },
  now: Date,
): Progress {
  const percent = total === null || total === 0 ? null : Math.min(99, Math.floor((done / total) * 100));
  const seconds = since === null ? 0 : (now.getTime() - since.getTime()) / 1000;
  if (seconds <= 0 || done === 0) return { percent, rows_per_second: null, seconds_left: null };
  const left = total === null ? null : Math.max(0, total - done);
  return {
    percent,
    rows_per_second: Math.round(done / seconds),
    seconds_left: left === null ? null : Math.ceil((left * seconds) / done),
  };
}
