import { type ChildService, runSupervised } from '@roster/embedded-postgres';
import { createLogger } from '#platform/observability/logger.ts';
import { describeFailure } from './failure.ts';

/** Runs the API or the worker as this process, with or without a supervisor. */
export const runChild = (start: () => Promise<ChildService>): Promise<void> =>
  runSupervised(start, { describeFailure, logCrash });

/**
 * Logs the error that ended the process. For an error of the database, only the code and the stack
 * frames: its message and details can quote personal data.
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
