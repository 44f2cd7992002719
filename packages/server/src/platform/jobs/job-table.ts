import type { Context } from '#platform/context.ts';
import type { Feature } from '#platform/feature.ts';

/**
 * The payload of each kind of job, such as the key of a row. It must be small, without secrets and
 * without personal data. Each feature adds its kinds (`declare module`).
 */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface JobPayloads {}

/** The name of a kind of job. */
export type JobName = keyof JobPayloads;

/** The facts about a run that its handler gets, in addition to the payload. */
export interface JobRun {
  /** The id of the job, the same in each run. A job never has two runs at the same time. */
  readonly jobId: string;
  /**
   * Aborted when the process stops, or when another process may run the job. Then the handler must
   * end within 6 seconds.
   */
  readonly signal: AbortSignal;
  /** 1 for the first run. Counts runs that failed or were killed, but not those ended by a stop. */
  readonly attempt: number;
  /** If the run with this number fails, the job is given up. */
  readonly maxAttempts: number;
}

/**
 * Does a job. The job is done when the promise resolves. When it rejects, the job runs again after
 * a pause (2.7, 7.4, 20 … seconds, up to six hours).
 *
 * A job can run more than once: if the process is killed just after the last commit, the job runs
 * again. So the transaction that does the work must check whether the work is already done.
 */
export type JobHandler<Payload> = (context: Context, payload: Payload, run: JobRun) => Promise<void>;

/** Thrown by a job that must wait. It runs again after some seconds, and this run does not count. */
export class JobMustWait extends Error {
  override readonly name = 'JobMustWait';
}

/** One kind of job. */
export interface JobDefinition<Payload> {
  /** How many jobs of this kind one process runs at the same time. Other kinds do not count. */
  readonly concurrency: number;
  readonly run: JobHandler<Payload>;
}

/** Kinds of jobs by name. A runner ignores all other kinds. */
export type JobDefinitions = { readonly [Name in JobName]?: JobDefinition<JobPayloads[Name]> };

declare module '#platform/feature.ts' {
  interface Feature {
    /** The kinds of jobs that the feature adds. */
    readonly jobs?: JobDefinitions;
  }
}

/** Returns the kinds of jobs of all features. */
export function jobsOf(features: readonly Feature[]): JobDefinitions {
  return Object.assign({}, ...features.map(({ jobs }) => jobs)) as JobDefinitions;
}
