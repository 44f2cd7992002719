import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { databaseFault, isLockTimeout } from '#platform/database/connection/database.ts';
import { DatabaseBusy } from '#platform/database/connection/database-watch.ts';
import { isDiskFull } from '#platform/files/disk-full.ts';
import { StorageFault } from '#platform/files/storage-fault.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { createMinuteLine, type MinuteLine } from '#platform/observability/minute-line.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { hasDeparted } from '../connection/client-disconnect.ts';
import { envelopeOf } from './error-envelopes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts the requests that failed because the service was busy. */
    busyLine: MinuteLine<BusyName>;
  }
}

// The last two are the reasons of some of the others: no free connection, and a lock of another session.
const busyNames = ['overloaded', 'timed_out', 'pipeline_busy', 'no_connection', 'locked'] as const;
type BusyName = (typeof busyNames)[number];

/** Answers every error, whoever threw it, from the catalogue; nothing internal reaches the caller. */
export function useErrorAnswers(app: FastifyInstance, log: Logger): void {
  const line = createMinuteLine(log, 'requests failed in the last minute because the service was busy', busyNames);
  app.decorate('busyLine', line);
  app.addHook('onClose', async () => line.flush());
  app.setErrorHandler((error: FastifyError | Error, request, reply) => sendError(error, request, reply));
}

/** Sends the answer for an error, or for `told` where an interface has an error of its own for it. The log has the error itself. */
export function sendError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  told?: ApiError,
): FastifyReply {
  const known = toApiError(error);
  logError(error, known, request, reply);
  const { status, message: description, faults, headers } = told ?? known;
  return reply
    .code(status)
    .headers(headers)
    .send(envelopeOf(request)({ requestId: request.id, status, description, faults }));
}

function logError(error: Error, known: ApiError, request: FastifyRequest, reply: FastifyReply): void {
  const busy = busyNamesOf(known);
  if (hasDeparted(reply.raw)) {
    // Whatever failed, failed because of it or concerns nobody any more: a body that breaks off looks like a broken connection of our own.
    request.log.debug({ err: describeError(error) }, 'a client went away before its answer');
  } else if (busy.length > 0) {
    // Expected under load, and the caller knows when to come again. A line for each would add to the load.
    request.server.busyLine.count(...busy);
    request.log.debug({ code: known.code }, 'a request has to come again');
  } else if (known.code === 'search_timeout') {
    request.log.info({ account_id: request.credential?.accountId }, 'a search was cancelled by its time limit');
  } else if (known.status >= 500) {
    // The message of a database error can quote values of a row; its code and place are enough to find the cause.
    request.log.error({ err: describeError(known.cause ?? error), code: known.code }, 'a request failed');
  }
}

/** The names to count an error under when a busy service is its reason; none for every other error. */
function busyNamesOf({ code, cause }: ApiError): readonly BusyName[] {
  if (code !== 'overloaded' && code !== 'timed_out' && code !== 'pipeline_busy') return [];
  if (cause instanceof DatabaseBusy) return [code, 'no_connection'];
  return isLockTimeout(cause) ? [code, 'locked'] : [code];
}

function toApiError(error: FastifyError | Error): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StorageFault) {
    return isDiskFull(error)
      ? new ApiError('storage_full', { cause: error })
      : new ApiError('storage_unavailable', { cause: error, headers: { 'retry-after': '5' } });
  }
  switch ('code' in error ? error.code : undefined) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('body_too_large', {
        params: { limit: 'this operation takes' },
        headers: { connection: 'close' },
      });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return new ApiError('unsupported_media_type');
    case 'FST_ERR_BAD_URL':
      return new ApiError('malformed_request', { params: { reason: 'its path is not a valid URL' } });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError('invalid_json', { params: { reason: 'its length differs from the Content-Length' } });
    default:
      break;
  }
  if (isLockTimeout(error)) {
    return new ApiError('overloaded', { cause: error, params: { seconds: 5 }, headers: { 'retry-after': '5' } });
  }
  if (error instanceof DatabaseBusy) {
    return new ApiError('overloaded', { cause: error, params: { seconds: 1 }, headers: { 'retry-after': '1' } });
  }
  switch (databaseFault(error)) {
    case 'unreachable':
      return new ApiError('unavailable', { cause: error, headers: { 'retry-after': '1' } });
    case 'timeout':
      return new ApiError('search_timeout', { cause: error, params: { seconds: 15 } });
    default:
      break;
  }
  // Errors of Fastify about the request itself.
  if ('statusCode' in error && error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ApiError('malformed_request', { params: { reason: 'it could not be read' }, cause: error });
  }
  return new ApiError('internal', { cause: error });
}
