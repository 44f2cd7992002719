import { databaseFault } from '../db/database.ts';

/** What may stand in a log of an error: never the message of a database error, which can quote personal data. */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const database = databaseFault(error) !== undefined;
  return {
    type: error.name,
    ...('code' in error ? { code: error.code } : {}),
    ...(database ? {} : { message: error.message }),
    ...('constraint' in error && error.constraint !== undefined ? { constraint: error.constraint } : {}),
    stack: error.stack?.replace(error.message, '').trim(),
  };
}
