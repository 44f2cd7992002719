import type { Context } from '#platform/context.ts';

/**
 * One feature of the service, and what it adds to the mechanisms of the service.
 *
 * Each mechanism declares here (`declare module`) the field that it collects from all features.
 */
export interface Feature {
  /** The name of its folder. */
  readonly name: string;
  /**
   * Opens the parts that the feature adds to the context of a process. Parts that are disposable
   * are disposed with the context.
   */
  openContext?(context: Context): Partial<Context>;
  /** Tasks that a worker process repeats for the feature. */
  readonly upkeep?: readonly UpkeepTask[];
}

/** Work that every worker process repeats. It must tolerate a second run at the same time. */
export interface UpkeepTask {
  /** Milliseconds from the end of one run to the beginning of the next. */
  readonly interval: number;
  /**
   * True when the task deletes data because of its age. It is skipped while the clocks differ, because
   * one wrong clock would delete everything (see loops/clocks-agree.ts).
   */
  readonly deletesByAge?: true;
  /** Does the work once. Ends soon after an abort. A failure is logged, and the work runs again. */
  readonly run: (context: Context, signal: AbortSignal) => Promise<void>;
}
