import type { ErrorEntry, WaitedOutcome } from '../wire/shapes.ts';

/**
 * The kind of a failure. Most codes follow from the HTTP status. The others are:
 *
 * - `network`: no connection, or it broke.
 * - `timeout`: no complete response in time.
 * - `invalid_answer`: the response does not come from Roster.
 * - `search_timeout`: the search took too long. A repeat would take as long.
 * - `not_finished`: an export has no file, because it has not ended, failed or was cancelled.
 */
export type RosterErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'gone'
  | 'changed'
  | 'too_large'
  | 'rate_limited'
  | 'refused'
  | 'unavailable'
  | 'search_timeout'
  | 'internal'
  | 'network'
  | 'timeout'
  | 'invalid_answer'
  | 'not_finished';

const codesByStatus: Readonly<Record<number, RosterErrorCode>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  410: 'gone',
  412: 'changed',
  413: 'too_large',
  429: 'rate_limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/** Returns the code for an HTTP status. */
export function codeOf(status: number): RosterErrorCode {
  return codesByStatus[status] ?? (status >= 500 ? 'internal' : 'refused');
}

/** The fields of a {@link RosterError} besides its code and message. */
export interface RosterErrorFacts {
  readonly operation: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly faults?: readonly ErrorEntry[] | undefined;
  readonly current?: unknown;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/**
 * A failure of a call. A call that you abort by a signal rejects with the reason of the signal
 * instead, as `fetch` does.
 */
export class RosterError extends Error {
  override readonly name = 'RosterError';
  /** The kind of the failure. */
  readonly code: RosterErrorCode;
  /** The operationId, such as `createContacts`. */
  readonly operation: string;
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /**
   * Id of the request; undefined if unknown. The operator can find the request in the log by it.
   */
  readonly requestId: string | undefined;
  /** The faults of the request (at most 50) with their paths, such as `data.contacts[3].email`. */
  readonly faults: readonly ErrorEntry[];
  /** The present state, if the code is `changed`. It has the shape of the answer. */
  readonly current: unknown;
  /** Milliseconds to wait before a retry, if the service sent `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** How often the request was sent. */
  attempts = 1;
  /** The batch that failed; undefined unless the call sends its items in batches. */
  batch: FailedBatch | undefined;

  constructor(code: RosterErrorCode, message: string, facts: RosterErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.operation = facts.operation;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.faults = facts.faults ?? [];
    this.current = facts.current;
    this.retryAfter = facts.retryAfter;
  }
}

/** An accepted request with some of the items of a call. */
export interface AcceptedBatch {
  readonly request_id: string;
  /** Position of its first item in the call, from 0. */
  readonly first: number;
  /** Number of its items. */
  readonly count: number;
  /** What became of the request, if the call has `wait` and the request was applied in time. */
  readonly outcome?: WaitedOutcome;
}

/** The batch that failed. */
export interface FailedBatch {
  /** Position of its first item in the call, from 0. Add it to the indexes in `faults`. */
  readonly first: number;
  readonly count: number;
  /** The batches that were accepted. They will be applied. */
  readonly accepted: readonly AcceptedBatch[];
}
