import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { databaseFault, isDatabaseFull, isLockTimeout } from '#platform/database/connection/database.ts';
import { DatabaseBusy } from '#platform/database/connection/database-watch.ts';
import { NodeDown } from '#platform/database/connection/node-down.ts';
import { isDiskFull, StorageFault } from '#platform/files/storage-fault.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { createMinuteLine, type MinuteLine } from '#platform/observability/minute-line.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { isDisconnected } from '../connection/client-disconnect.ts';
import { envelopeOf } from './error-envelopes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts the requests that failed because the service was busy. */
    busyLine: MinuteLine<BusyName>;
    /** Counts the requests that failed because the database could not be reached, or its disk was full. */
    unavailableLine: MinuteLine<'requests'>;
  }
}

// The last two names are possible causes of the first three.
const busyNames = ['overloaded', 'timed_out', 'pipeline_busy', 'no_connection', 'locked'] as const;
type BusyName = (typeof busyNames)[number];

/** Responds to every error with an entry of the catalogue. Internal details stay in the log. */
export function useErrorAnswers(app: FastifyInstance, log: Logger): void {
  const line = createMinuteLine(log, 'requests failed in the last minute because the service was busy', busyNames);
  app.decorate('busyLine', line);
  app.addHook('onClose', async () => line.flush());
  const unavailable = createMinuteLine(
    log,
    'requests failed in the last minute because the database could not be reached, or its disk was full',
    ['requests'],
  );
  app.decorate('unavailableLine', unavailable);
  app.addHook('onClose', async () => unavailable.flush());
  app.setErrorHandler((error: FastifyError | Error, request, reply) => sendError(error, request, reply));
}

/** Logs an error and sends its response. With `shown` (for v3), sends that error instead. */
export function sendError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  shown?: ApiError,
): FastifyReply {
  const known = toApiError(error);
  logError(error, known, request, reply);
  const { status, message: description, faults, headers, current } = shown ?? known;
  return reply
    .code(status)
    .headers(headers)
    .send(envelopeOf(request)({ requestId: request.id, status, description, faults, current }));
}

/** Errors of every request at the same time. */
const databaseGone: ReadonlySet<string> = new Set(['unavailable', 'database_full']);

function logError(error: Error, known: ApiError, request: FastifyRequest, reply: FastifyReply): void {
  const busy = busyNamesOf(known);
  if (isDisconnected(reply.raw)) {
    // The disconnect may have caused the error: a truncated body looks like a broken connection of
    // the service. Otherwise, the error no longer matters to anyone.
    request.log.debug({ err: describeError(error) }, 'a client disconnected before the response');
  } else if (busy.length > 0) {
    // Expected under load. The caller knows when to retry. Many log lines would add to the load.
    request.server.busyLine.count(...busy);
    request.log.debug({ code: known.code }, 'the service is busy; the caller must retry');
  } else if (known.code === 'account_unavailable') {
    // The watch of the nodes has logged a warning. Every caller of the node gets this error.
    request.log.debug({ account_id: request.credential?.accountId }, 'the node of an account is down');
  } else if (known.code === 'search_timeout') {
    request.log.info({ account_id: request.credential?.accountId }, 'a search exceeded its time limit');
  } else if (databaseGone.has(known.code) && !request.server.unavailableLine.count('requests')) {
    // Every request fails. Many log lines would fill the disk, which may be the cause. The first
    // request of a minute has a line with the reason.
    request.log.debug({ err: describeError(error) }, 'the database cannot be reached, or its disk is full');
  } else if (known.status >= 500) {
    // The message of a database error can contain values of a row, so it is not logged. The code
    // and the stack are enough to find the cause.
    request.log.error({ err: describeError(known.cause ?? error), code: known.code }, 'a request failed');
  }
}

/** Returns the names under which to count an error of a busy service; none for other errors. */
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
  if (error instanceof NodeDown) {
    return new ApiError('account_unavailable', { cause: error, headers: { 'retry-after': '5' } });
  }
  switch (databaseFault(error)) {
    case 'unreachable':
      return isDatabaseFull(error)
        ? new ApiError('database_full', { cause: error, headers: { 'retry-after': '5' } })
        : new ApiError('unavailable', { cause: error, headers: { 'retry-after': '1' } });
    case 'timeout':
      return new ApiError('search_timeout', { cause: error, params: { seconds: 15 } });
    default:
      break;
  }
  // Errors of Fastify about the request.
  if ('statusCode' in error && error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ApiError('malformed_request', { params: { reason: 'it could not be read' }, cause: error });
  }
  return new ApiError('internal', { cause: error });
}
