import { Logger, type LogLevel } from 'graphile-worker';
import type { Logger as Log } from 'pino';
import { describeError } from '../connection/describe-error.ts';

const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const satisfies Record<
  LogLevel,
  string
>;

/**
 * The logger that the library gets: its lines in the log of the process, without payloads.
 *
 * Its details carry jobs with their payloads, and its texts quote errors, which can quote data; so neither is kept where there is an error.
 * That a job failed is logged by the runner itself.
 */
export function jobLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if (meta['failure'] === true) return;
    const error = meta['error'] ?? meta['fatalError'];
    if (error === undefined) log[levels[level]](`jobs: ${message}`);
    else log[levels[level]]({ err: describeError(error) }, 'jobs: the library reports an error');
  });
}
