import type { CallOptions } from './transport/connection.ts';
import { waitUntil, type WaitOptions } from './transport/waiting.ts';
import { Listing, type Page } from './wire/listing.ts';
import type { GetRequestQuery, RequestDetail, RequestFailure } from './wire/shapes.ts';

/** Options of reading the failures of a request. */
export type FailureOptions = CallOptions & Omit<GetRequestQuery, 'failures_cursor'>;

/** Options of {@link createRequests.get}. */
export interface GetRequestOptions extends CallOptions {
  /** Seconds to wait until the request is applied, up to 30; default: not at all. */
  readonly wait?: number | undefined;
}

/** Seconds of one request of {@link createRequests.wait}. */
const longestWait = 30;

/** Creates the operations on accepted requests. `load` gets one request. */
export function createRequests(
  load: (requestId: string, input: GetRequestOptions & { readonly query?: GetRequestQuery }) => Promise<RequestDetail>,
) {
  return {
    /** Returns a request with its first 1000 failures. */
    get: (requestId: string, options: GetRequestOptions = {}): Promise<RequestDetail> => load(requestId, options),

    /** Returns all failures of a request, or those with one code. */
    failures: (
      requestId: string,
      { failures_code, failures_with_contacts, ...options }: FailureOptions = {},
    ): Listing<RequestFailure, Page<RequestFailure>> =>
      new Listing(async (cursor) => {
        const query = { failures_code, failures_with_contacts, failures_cursor: cursor };
        const { failures, failures_next_cursor } = await load(requestId, { ...options, query });
        return { data: failures, next_cursor: failures_next_cursor };
      }),

    /**
     * Waits until a request is applied. Returns its counts and its first failures. The service
     * answers as soon as the request is applied (long polling).
     */
    wait: (requestId: string, options: WaitOptions<RequestDetail> = {}): Promise<RequestDetail> =>
      waitUntil(
        () => load(requestId, { signal: options.signal, wait: longestWait }),
        ({ status }) => status !== 'accepted',
        options,
      ),
  };
}

/** The operations of an API key on the requests of its account. */
export type Requests = ReturnType<typeof createRequests>;
