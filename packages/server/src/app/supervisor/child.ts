import { type ChildService, onSupervisorMessage, runSupervised, sendToSupervisor } from '@roster/embedded-postgres';
import { createLogger } from '#platform/observability/logger.ts';
import { describeFailure } from './failure.ts';

/** Runs a part of the service (API or worker) as this process, under the supervisor or without one (`ROSTER_ROLE=api|worker`). */
export const runChild = (start: () => Promise<ChildService>): Promise<void> =>
  runSupervised(start, { describeFailure, logCrash });

/** Hands the metrics of this process to the one that serves `/metrics`; does nothing without a supervisor. */
export const publishMetrics = (metrics: unknown): void => sendToSupervisor(metrics);

/** Calls `listener` with the metrics that the worker published last, whenever they arrive. */
export const onWorkerMetrics = (listener: (metrics: unknown) => void): void => onSupervisorMessage(listener);

/**
 * Logs what ended the process. Only where it happened: messages and details of the database quote values,
 * which are personal data, and Node would print all of them.
 */
function logCrash(error: unknown): void {
  const isError = error instanceof Error;
  const code = isError && 'code' in error ? error.code : undefined;
  const isDatabase = isError && 'severity' in error;
  const frames = isError ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : [];
  const err = {
    type: isError ? error.name : typeof error,
    code,
    message: isDatabase || !isError ? undefined : error.message,
  };
  createLogger({ logLevel: 'fatal', logFormat: 'auto' }, 'roster').fatal(
    { err: { ...err, stack: frames.join('\n') } },
    'a defect ended the process',
  );
}
