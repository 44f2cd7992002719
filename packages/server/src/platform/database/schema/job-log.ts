import { Logger, type LogLevel } from 'graphile-worker';
import type { Logger as Log } from 'pino';
import { describeError } from '../connection/describe-error.ts';

const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const satisfies Record<
  LogLevel,
  string
>;

/**
 * Makes the logger of the library. Its lines go to the log of the process, without payloads.
 *
 * The details of the library contain payloads of jobs. Its messages quote errors, which can quote
 * personal data. So for an error, only its description is logged. The runner itself logs failed
 * jobs.
 */
export function jobLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if (meta['failure'] === true) return;
    const error = meta['error'] ?? meta['fatalError'];
    if (error === undefined) log[levels[level]](`jobs: ${message}`);
    else log[levels[level]]({ err: describeError(error) }, 'jobs: error in the library');
  });
}
