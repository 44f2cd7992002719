import type { Context } from '#platform/context.ts';
import type { Feature } from '#platform/feature.ts';

/**
 * What each kind of job is given: small and without secrets or personal data, for example the key of a row that says the rest.
 * Each feature adds its kinds (`declare module`).
 */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface JobPayloads {}

/** The name of a kind of job. */
export type JobName = keyof JobPayloads;

/** What a handler learns of the run beside its payload. */
export interface JobRun {
  /** The job: the same in each of its runs, of which there is one at a time. */
  readonly jobId: string;
  /** Aborted when the process stops, or may no longer be the only one that runs the job. End soon: within 6 seconds. */
  readonly signal: AbortSignal;
  /** 1 for the first run; counts every run that failed or was killed, and none that a stop interrupted. */
  readonly attempt: number;
  /** The run after which a failure is final. */
  readonly maxAttempts: number;
}

/**
 * Does a job.
 *
 * A job is done when the promise resolves, and runs again after a pause when it rejects (2.7, 7.4, 20 … seconds, up to six hours). It runs
 * at least once: a process that is killed in the middle, or just after the last commit, leaves it to the next one. So let the transaction
 * that does the work look whether it is done.
 */
export type JobHandler<Payload> = (context: Context, payload: Payload, run: JobRun) => Promise<void>;

/** One kind of job: what it does, and how often at the same time. */
export interface JobDefinition<Payload> {
  /** Jobs of the kind that one process runs at the same time. Kinds never wait for each other. */
  readonly concurrency: number;
  readonly run: JobHandler<Payload>;
}

/** The kinds of jobs of a feature, or those that a runner knows; it ignores the jobs of other kinds. */
export type JobDefinitions = { readonly [Name in JobName]?: JobDefinition<JobPayloads[Name]> };

declare module '#platform/feature.ts' {
  interface Feature {
    /** The kinds of jobs that the feature adds. */
    readonly jobs?: JobDefinitions;
  }
}

/** The kinds of jobs of all features. */
export function jobsOf(features: readonly Feature[]): JobDefinitions {
  return Object.assign({}, ...features.map(({ jobs }) => jobs)) as JobDefinitions;
}
