import { databaseFault } from './database-fault.ts';

/**
 * Describes an error for a log line.
 *
 * Leaves out the message of PostgreSQL, which can quote personal data. Leaves out the stack when
 * the database is unreachable: the stack of a timer or socket does not help an operator.
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

/** Returns the message of an error, or of the first error in an aggregate without a message. */
function messageOf(error: Error): string {
  if (error.message === '' && error instanceof AggregateError && error.errors[0] instanceof Error) {
    return messageOf(error.errors[0]);
  }
  return error.message;
}
