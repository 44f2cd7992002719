import type { Context } from '../context.ts';
import { mailConnections } from '../mails/mailer.ts';

/** What each kind of job is given: small and without secrets or personal data, for example the key of a row that says the rest. */
export interface JobPayloads {
  /** One attempt to send a delivery. */
  deliver: { readonly account_id: number; readonly delivery_id: string };
  /** One attempt, counted from 1, to send a mail. */
  send_mail: { readonly account_id: number; readonly mail_id: string; readonly attempt: number };
  /** One run of an export, from its beginning. */
  export: { readonly account_id: number; readonly request_id: string };
  /** One run of an import, from where the one before has stopped; or what an import that has ended leaves to do. */
  import: { readonly account_id: number; readonly import_id: string };
  /** Erases the traces of a person whose contact was erased. */
  erase_traces: { readonly account_id: number; readonly request_id: string };
  /** Erases what a request says of people who are forgotten. */
  erase_refused: { readonly account_id: number; readonly request_id: string };
}

/** The name of a kind of job. */
export type JobName = keyof JobPayloads;

/** Jobs of a kind that one process runs at the same time. Kinds never wait for each other. */
export const jobConcurrency: { readonly [Name in JobName]: number } = {
  // They wait for other people's servers: up to 10 s each.
  deliver: 24,
  send_mail: mailConnections,
  // Each keeps a server process busy: more would leave searches and the pipeline waiting.
  export: 2,
  // Each fills the lane of an account as fast as it is emptied.
  import: 2,
  // It reads all requests that are kept. Nobody waits for it: one at a time.
  erase_traces: 1,
  erase_refused: 1,
};

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

/** The handlers of a runner; it leaves alone the jobs that it has no handler for. */
export type JobHandlers = { readonly [Name in JobName]?: JobHandler<JobPayloads[Name]> };
