import type { FastifyError, FastifyInstance } from 'fastify';
import { databaseFault } from '#platform/database/connection/database.ts';
import { DatabaseBusy } from '#platform/database/connection/database-watch.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { sendError } from './errors.ts';

/** The errors of v3 for API keys that are not there and that nobody has. */
export const v3KeyErrors = { blank: 'batch_api_key_blank', unknown: 'batch_api_key_invalid' } as const;

/** Makes a scope answer a database that cannot be reached as v3 does: with 400 and a message of its own. */
export function useV3Errors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | Error, request, reply) => {
    const isTimeout = error instanceof ApiError && error.code === 'timed_out';
    const isUnreachable = databaseFault(error) === 'unreachable' && !(error instanceof DatabaseBusy);
    const isAway = isTimeout || isUnreachable;
    const told = new ApiError('batch_server_not_found', { cause: error, headers: { 'retry-after': '1' } });
    return sendError(error, request, reply, isAway ? told : undefined);
  });
}
