import { databaseFault } from './database.ts';

/**
 * What a log line may say of an error.
 *
 * Never the message of PostgreSQL, which can quote personal data. A database that cannot be reached is described in words: the stack of a
 * timer or a socket tells an operator nothing.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const isFromServer = 'severity' in error;
  const isUnreachable = databaseFault(error) === 'unreachable';
  const message = messageOf(error);
  return {
    type: error.name,
    ...('code' in error ? { code: error.code } : {}),
    ...(isFromServer || message === '' ? {} : { message }),
    ...('constraint' in error && error.constraint !== undefined ? { constraint: error.constraint } : {}),
    ...(isUnreachable ? {} : { stack: error.stack?.replace(error.message, '').trim() }),
  };
}

/** The message of an error; an error of several addresses has none of its own. */
function messageOf(error: Error): string {
  if (error.message === '' && error instanceof AggregateError && error.errors[0] instanceof Error) {
    return messageOf(error.errors[0]);
  }
  return error.message;
}
