import type { Context } from '#platform/context.ts';

/**
 * One feature of the service, and what it contributes to the mechanisms of the service.
 *
 * Each mechanism declares here (`declare module`) the field that it collects from all features.
 */
export interface Feature {
  /** The name of its folder. */
  readonly name: string;
  /** Opens what the feature adds to the context of a process. A part that can be disposed is disposed with the context. */
  openContext?(context: Context): Partial<Context>;
  /** What a worker process repeats for the feature. */
  readonly upkeep?: readonly UpkeepTask[];
}

/** Work that a worker process repeats. It runs in each worker, so it must bear to run twice at the same time. */
export interface UpkeepTask {
  /** Milliseconds from the end of one run to the beginning of the next. */
  readonly interval: number;
  /** Does the work once; ends soon after `signal` is aborted. After a failure it is logged and run again. */
  readonly run: (context: Context, signal: AbortSignal) => Promise<void>;
}
