import { readErrorResponse } from './error-response.ts';
import { operations } from '../wire/operation-table.ts';
import type { AnswerOf, BodyOf, Operation, OperationId, PathOf, QueryOf } from '../wire/operations.ts';
import { defaultRetries, delayOf, reasonOf, wait, type Retries } from './retry.ts';
import { baseOf, requestOf } from './request.ts';
import { RosterError } from './roster-error.ts';

/** Options of a client. */
export interface ConnectionOptions {
  /** Address of the service, such as `https://roster.example.com`. It may have a path. */
  readonly url: string | URL;
  /**
   * Timeout of one request and its response in milliseconds; default: 60,000. A search may take 15
   * s, an attribute update 30 s.
   */
  readonly timeout?: number | undefined;
  /**
   * How requests are retried; default: {@link defaultRetries}. `{ limit: 0 }` turns retries off.
   */
  readonly retries?: Partial<Retries> | undefined;
  /** Aborts all calls of the client. Each call can also have its own signal. */
  readonly signal?: AbortSignal | undefined;
  /** Headers that are added to each request, for example for a proxy. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The function that sends requests; default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /**
   * A key for repeats after a restart of your program: 1 to 255 printable ASCII characters.
   * Default: a random key for each call. Used only for operations that take one.
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * The version that you read, for changes: a `version` or `ETag`. If the state has changed since,
   * the call throws a {@link RosterError} with the code `changed` and the present state.
   */
  readonly ifMatch?: string | undefined;
}

/** The parts and options of one call. The connection adds the path parameters `Given`. */
export interface CallInput<Id extends OperationId, Given extends string = never> extends CallOptions {
  readonly path?: PathOf<Id, Given>;
  readonly query?: QueryOf<Id> | undefined;
  readonly body?: BodyOf<Id> | undefined;
  /** The body as JSON text, instead of `body`. */
  readonly json?: string | undefined;
  /**
   * Sends an operation of API keys for this account with the credential of an operator or a person.
   */
  readonly accountId?: number | undefined;
  /** Headers that only this operation has. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Seconds for which the service may wait with its answer until the request is applied. The timeout
   * gets longer by this time.
   */
  readonly wait?: number | undefined;
  /** Timeout in milliseconds, instead of the timeout of the client. */
  readonly timeout?: number | undefined;
  /** Overrides whether the operation may be repeated. */
  readonly repeat?: Operation['repeat'] | undefined;
}

type Needed<Id extends OperationId> = (keyof PathOf<Id> extends never ? unknown : { readonly path: PathOf<Id> }) &
  (BodyOf<Id> extends undefined ? unknown : { readonly body: BodyOf<Id> });

/** The arguments of a call: path parameters and body are required if the operation has them. */
export type CallArguments<Id extends OperationId> =
  unknown extends Needed<Id> ? [input?: CallInput<Id>] : [input: CallInput<Id> & Needed<Id>];

/** A body that is not JSON, with its own headers. */
interface RawBody {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Sends operations to a service, with its credential and retries. Adds the path parameters `Given`.
 */
export interface Connection<Given extends string = never> {
  /** Sends an operation and returns its result. Throws a {@link RosterError}. */
  call<Id extends OperationId>(operation: Id, input?: CallInput<Id, Given>): Promise<AnswerOf<Id>>;
  /**
   * Sends an operation once, without a timeout, and returns the response before its body arrives.
   * Throws a {@link RosterError} if it fails.
   */
  open<Id extends OperationId>(operation: Id, input?: CallInput<Id, Given>): Promise<Response>;
  /**
   * Sends an operation with a body that is not JSON once, without a timeout, and returns its result.
   * Throws a {@link RosterError}.
   */
  upload<Id extends OperationId>(operation: Id, body: RawBody, input?: CallInput<Id, Given>): Promise<AnswerOf<Id>>;
  /** Fetches a signed path of the service, which needs no credential. */
  fetchFile(path: string, headers: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Response>;
  /** Returns a signal that is aborted with the given one, or with the signal of the client. */
  signalOf(own: AbortSignal | undefined): AbortSignal | undefined;
  readonly retries: Retries;
}

/** A connection for the operations on one account. It also sends the operations of API keys. */
export type AccountConnection = Connection<'account_id'>;

/** Creates a connection for the operations on one account. */
export function forAccount(connection: Connection, accountId: number): AccountConnection {
  const complete = <Id extends OperationId>(input?: CallInput<Id, 'account_id'>): CallInput<Id> => ({
    ...input,
    accountId,
    path: { ...input?.path, account_id: accountId } as object as PathOf<Id>,
  });
  return {
    ...connection,
    call: (id, input) => connection.call(id, complete(input)),
    open: (id, input) => connection.open(id, complete(input)),
    upload: (id, body, input) => connection.upload(id, body, complete(input)),
  };
}

/** Creates a connection. `credential` is the headers with the API key or the operator token. */
export function createConnection(options: ConnectionOptions, credential: Readonly<Record<string, string>>): Connection {
  const base = baseOf(options.url);
  const retries = { ...defaultRetries, ...options.retries };
  const send = options.fetch ?? ((input, init) => fetch(input, init));
  const timeout = options.timeout ?? 60_000;
  const signalOf = (own: AbortSignal | undefined): AbortSignal | undefined =>
    own === undefined || options.signal === undefined
      ? (own ?? options.signal)
      : AbortSignal.any([own, options.signal]);

  /** Sends a request once and reads the response. The signal aborts both. */
  async function attempt(id: string, url: URL, init: RequestInit): Promise<string> {
    const response = await send(url, init);
    const text = await response.text();
    if (!response.ok) throw readErrorResponse(id, response, text);
    return text;
  }

  async function exchange(id: OperationId, input: CallInput<OperationId>): Promise<string> {
    const operation: Operation = operations[id];
    const repeat = input.repeat ?? operation.repeat;
    const signal = signalOf(input.signal);
    const { url, init } = requestOf(base, operation, input, { ...options.headers, ...credential });
    for (let times = 1; ; times++) {
      signal?.throwIfAborted();
      const limit = AbortSignal.timeout((input.timeout ?? timeout) + (input.wait ?? 0) * 1000);
      const both = signal === undefined ? limit : AbortSignal.any([signal, limit]);
      try {
        return await attempt(id, url, { ...init, signal: both });
      } catch (failure) {
        if (signal?.aborted === true) throw reasonOf(signal);
        const error = asRosterError(id, failure, limit, url);
        error.attempts = times;
        // The response of the first DELETE was lost, but the deletion was done.
        if (times > 1 && operation.method === 'DELETE' && operation.answer === undefined && error.status === 404)
          return '';
        const delay = mayRepeat(error, repeat) ? delayOf(error, times, retries) : undefined;
        if (delay === undefined) throw error;
        await wait(delay, signal);
      }
    }
  }

  return {
    retries,
    signalOf,
    async call(id, input = {}) {
      const text = await exchange(id, input);
      return readAnswer(id, text) as AnswerOf<typeof id>;
    },
    async open(id, input = {}) {
      const signal = signalOf(input.signal);
      const { url, init } = requestOf(base, operations[id], input, { ...options.headers, ...credential });
      return await openResponse(id, url, { ...init, ...(signal && { signal }) }, signal, send);
    },
    async upload(id, { content, headers }, input = {}) {
      const signal = signalOf(input.signal);
      const { url, init } = requestOf(base, operations[id], input, { ...options.headers, ...credential, ...headers });
      try {
        const text = await attempt(id, url, { ...init, body: content, ...(signal && { signal }) });
        return readAnswer(id, text) as AnswerOf<typeof id>;
      } catch (failure) {
        if (signal?.aborted === true) throw reasonOf(signal);
        throw asRosterError(id, failure, undefined, url);
      }
    },
    async fetchFile(path, headers, own) {
      const signal = signalOf(own);
      return await openResponse(
        'file',
        new URL(base + path),
        { headers: { ...options.headers, ...headers }, ...(signal && { signal }) },
        signal,
        send,
      );
    },
  };
}

async function openResponse(
  id: string,
  url: URL,
  init: RequestInit,
  signal: AbortSignal | undefined,
  send: typeof fetch,
): Promise<Response> {
  try {
    const response = await send(url, init);
    if (response.ok) return response;
    throw readErrorResponse(id, response, await response.text());
  } catch (failure) {
    if (signal?.aborted === true) throw reasonOf(signal);
    throw asRosterError(id, failure, undefined, url);
  }
}

/**
 * Tells whether a failed request may be repeated. A request with status 429 was not processed. For
 * a request without a response, the outcome is unknown.
 */
function mayRepeat({ code, status }: RosterError, repeat: Operation['repeat']): boolean {
  if (status === 429) return true;
  return repeat !== 'unsafe' && (code === 'network' || code === 'timeout' || code === 'unavailable');
}

function readAnswer(id: string, text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const advice = 'The response is not JSON. Check that the url is the address of Roster.';
    throw new RosterError('invalid_answer', `${id}: ${advice}`, { operation: id, cause });
  }
}

function asRosterError(id: string, failure: unknown, limit: AbortSignal | undefined, url: URL): RosterError {
  if (failure instanceof RosterError) return failure;
  const cause = failure;
  if (limit?.aborted === true) {
    return new RosterError('timeout', `${id}: no complete response in time`, { operation: id, cause });
  }
  const advice = `${url.origin} cannot be reached, or the connection broke${reason(failure)}`;
  return new RosterError('network', `${id}: ${advice}`, { operation: id, cause });
}

/** Returns the reason of a failure. Node puts it into the cause of a `TypeError: fetch failed`. */
function reason(failure: unknown): string {
  const inner = failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure;
  if (!(inner instanceof Error)) return '';
  const code = 'code' in inner && typeof inner.code === 'string' ? inner.code : '';
  return ` (${inner.message === '' ? code : inner.message})`;
}
