import type { ErrorEntry } from '../wire/shapes.ts';

/**
 * What went wrong, as a word: by the status of the answer, or before there was one.
 *
 * `network`: no connection, or it broke. `timeout`: no whole answer in time. `invalid_answer`: what came back is not from Roster. `search_timeout`: the
 * search took too long, and would again. `not_finished`: something that was waited for ended otherwise than hoped.
 */
export type RosterErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'gone'
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
  413: 'too_large',
  429: 'rate_limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/** The code of an error answer. */
export function codeOf(status: number): RosterErrorCode {
  return codesByStatus[status] ?? (status >= 500 ? 'internal' : 'refused');
}

/** What a {@link RosterError} is made of, besides its code and message. */
export interface RosterErrorFacts {
  readonly operation: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly faults?: readonly ErrorEntry[] | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/**
 * Every failure that the client reports, but for what was aborted by the caller's own signal: that rejects with the reason of the signal, as
 * fetch does.
 */
export class RosterError extends Error {
  override readonly name = 'RosterError';
  /** What went wrong, as a word. */
  readonly code: RosterErrorCode;
  /** The operationId, such as `createContacts`. */
  readonly operation: string;
  /** HTTP status of the answer; undefined when there was none. */
  readonly status: number | undefined;
  /** Identifier of the request, by which the operator finds it in the log; undefined when the answer has none. */
  readonly requestId: string | undefined;
  /** Every fault of the request with its place, such as `data.contacts[3].email`; at most 50. */
  readonly faults: readonly ErrorEntry[];
  /** Milliseconds after which the service asked to be tried again. */
  readonly retryAfter: number | undefined;
  /** How often it was sent. */
  attempts = 1;
  /** Where items were sent in batches: which of them these were, and what had been accepted before. */
  batch: FailedBatch | undefined;

  constructor(code: RosterErrorCode, message: string, facts: RosterErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.operation = facts.operation;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.faults = facts.faults ?? [];
    this.retryAfter = facts.retryAfter;
  }
}

/** One request of many that carry the items of a call. */
export interface AcceptedBatch {
  readonly request_id: string;
  /** Position of its first item among all of the call, from 0. */
  readonly first: number;
  /** How many items it has. */
  readonly count: number;
}

/** The batch that failed. */
export interface FailedBatch {
  /** Position of its first item among all of the call, from 0: the service counts items from the beginning of their request. */
  readonly first: number;
  readonly count: number;
  /** What was accepted before, and stays. */
  readonly accepted: readonly AcceptedBatch[];
}
