import { operations, RosterError, type ErrorEntry } from '@roster/client';
import { translateLoaded } from '#texts/use-reasons.ts';
import { isMissingCode } from './missing-code.ts';

/** The kinds of failures that pages distinguish. Each has texts in `common.errors`. */
export type ProblemKind =
  | 'signedOut'
  | 'forbidden'
  | 'notFound'
  | 'invalid'
  | 'conflict'
  | 'changed'
  | 'busy'
  | 'unavailable'
  | 'slow'
  | 'offline'
  /** There was no answer to a change that must not be sent twice. It is done, or not. */
  | 'unanswered'
  | 'unexpected';

/** A failure as pages show it. */
export interface Problem {
  readonly kind: ProblemKind;
  /**
   * What the service says, in the language of the page; undefined if there was no response, or the
   * console has words of its own for it.
   */
  readonly message: string | undefined;
  /** The faults of the request, with their paths, in the language of the page. */
  readonly faults: readonly ErrorEntry[];
  /** Seconds to wait before the next attempt. */
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;
  /** Whether the same request can succeed later without a change. */
  readonly isTemporary: boolean;
}

const kindsByStatus: Readonly<Record<number, ProblemKind>> = {
  400: 'invalid',
  401: 'signedOut',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
  410: 'notFound',
  412: 'changed',
  413: 'invalid',
  422: 'invalid',
  429: 'busy',
  503: 'unavailable',
};

/** Returns what a page shows for an error. This is the only place that maps errors. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof RosterError)) {
    const isMissing = isMissingCode(error);
    const message = error instanceof Error ? error.message : String(error);
    return {
      kind: isMissing ? 'offline' : 'unexpected',
      message: isMissing ? undefined : message,
      faults: [],
      retryAfter: undefined,
      requestId: undefined,
      isTemporary: isMissing,
    };
  }
  const kind = kindOf(error);
  return {
    kind,
    message: messageOf(error),
    faults: error.faults.map((fault) => ({ ...fault, message: translateLoaded(fault.message) })),
    retryAfter: error.retryAfter === undefined ? undefined : Math.ceil(error.retryAfter / 1000),
    requestId: error.requestId,
    isTemporary: kind === 'busy' || kind === 'unavailable' || kind === 'offline',
  };
}

/**
 * Tells whether something is no longer there for the person: it was deleted, or they lost the right
 * to see it. A page must not go on showing it.
 */
export function isGone(error: unknown): boolean {
  const { kind } = problemOf(error);
  return kind === 'notFound' || kind === 'forbidden';
}

function messageOf({ status, message, faults: [first] }: RosterError): string | undefined {
  if (status === undefined) return undefined;
  // The message of the client begins with the operation and the status.
  const text = message.replace(/^\w+: \d+ /, '');
  // It tells a program how to send its token. The session has ended.
  if (text.startsWith('The request has no valid credential')) return undefined;
  const place = first === undefined ? '' : `${first.field} `;
  // A path stays as it is.
  return text.startsWith(place) ? place + translateLoaded(text.slice(place.length)) : translateLoaded(text);
}

function kindOf({ code, status, operation }: RosterError): ProblemKind {
  if (code === 'network' || code === 'timeout' || status === 502 || status === 504) {
    return isRisky(operation) ? 'unanswered' : status === undefined ? 'offline' : 'unavailable';
  }
  if (code === 'search_timeout') return 'slow';
  return (status === undefined ? undefined : kindsByStatus[status]) ?? 'unexpected';
}

/** Tells whether repeating an operation could do it twice. A person who is not signed in creates nothing. */
function isRisky(id: string): boolean {
  const operation = Object.entries(operations).find(([one]) => one === id)?.[1];
  return operation?.repeat === 'unsafe' && operation.credential !== 'none';
}
