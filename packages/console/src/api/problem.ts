import { RosterError, type ErrorEntry } from '@roster/client';
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
  | 'unexpected';

/** A failure as pages show it. */
export interface Problem {
  readonly kind: ProblemKind;
  /** What the service says; undefined if there was no response. */
  readonly message: string | undefined;
  /** The faults of the request, with their paths. */
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
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
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
    // The message of the client begins with the operation and the status.
    message: error.status === undefined ? undefined : error.message.replace(/^\w+: \d+ /, ''),
    faults: error.faults,
    retryAfter: error.retryAfter === undefined ? undefined : Math.ceil(error.retryAfter / 1000),
    requestId: error.requestId,
    isTemporary: kind === 'busy' || kind === 'unavailable' || kind === 'offline',
  };
}

function kindOf({ code, status }: RosterError): ProblemKind {
  if (code === 'network' || code === 'timeout') return 'offline';
  if (code === 'search_timeout') return 'slow';
  return (status === undefined ? undefined : kindsByStatus[status]) ?? 'unexpected';
}
