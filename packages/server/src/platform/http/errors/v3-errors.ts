import type { FastifyError, FastifyInstance } from 'fastify';
import { databaseFault } from '#platform/database/connection/database.ts';
import { DatabaseBusy } from '#platform/database/connection/database-watch.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { sendError } from './errors.ts';

/** The errors of v3 for a missing and for an invalid API key. */
export const v3KeyErrors = { blank: 'batch_api_key_blank', unknown: 'batch_api_key_invalid' } as const;

/** Makes a scope respond with 400 when the database is unreachable, as v3 does. */
export function useV3Errors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | Error, request, reply) => {
    const isTimeout = error instanceof ApiError && error.code === 'timed_out';
    const isUnreachable = databaseFault(error) === 'unreachable' && !(error instanceof DatabaseBusy);
    const v3Error = new ApiError('batch_server_not_found', { cause: error, headers: { 'retry-after': '1' } });
    return sendError(error, request, reply, isTimeout || isUnreachable ? v3Error : undefined);
  });
}
