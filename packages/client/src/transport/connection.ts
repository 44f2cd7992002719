import { readErrorAnswer } from './error-answer.ts';
import { operations } from '../wire/operation-table.ts';
import type { AnswerOf, BodyOf, Operation, OperationId, PathOf, QueryOf } from '../wire/operations.ts';
import { defaultRetries, delayOf, reasonOf, wait, type Retries } from './retry.ts';
import { baseOf, requestOf } from './request.ts';
import { RosterError } from './roster-error.ts';

/** How a client reaches the service. */
export interface ConnectionOptions {
  /** Address of the service, such as `https://roster.example.com`; a path before the operations is kept. */
  readonly url: string | URL;
  /** Milliseconds for one request and its answer; default: 60,000. A search may take 15 s, an attribute update 30 s. */
  readonly timeout?: number | undefined;
  /** When requests are repeated; default: {@link defaultRetries}. `{ limit: 0 }` switches it off. */
  readonly retries?: Partial<Retries> | undefined;
  /** Ends everything that the client does; each call can have one of its own, too. */
  readonly signal?: AbortSignal | undefined;
  /** Headers of every request, for a proxy in between. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What sends the requests; default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** What a caller says about one call. */
export interface CallOptions {
  /** Ends the call: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the key that the client makes, for repeats over restarts: 1 to 255 printable ASCII characters. Only where the operation takes one. */
  readonly idempotencyKey?: string | undefined;
}

/** The parts of one request. JSON that is made already is sent as it is. */
export interface CallInput<Id extends OperationId> extends CallOptions {
  readonly path?: PathOf<Id>;
  readonly query?: QueryOf<Id> | undefined;
  readonly body?: BodyOf<Id> | undefined;
  readonly json?: string | undefined;
  /** Milliseconds, where the one of the client does not fit. */
  readonly timeout?: number | undefined;
  /** Where the caller knows better than the table whether a repeat is harmless. */
  readonly repeat?: Operation['repeat'] | undefined;
}

type Needed<Id extends OperationId> = (keyof PathOf<Id> extends never ? unknown : { readonly path: PathOf<Id> }) &
  (BodyOf<Id> extends undefined ? unknown : { readonly body: BodyOf<Id> });

/** What a caller of one operation must give: its places and its body, where it has them. */
export type CallArguments<Id extends OperationId> =
  unknown extends Needed<Id> ? [input?: CallInput<Id>] : [input: CallInput<Id> & Needed<Id>];

/** A body that is sent as it is: no JSON. */
interface RawBody {
  readonly type: string;
  readonly content: NonNullable<RequestInit['body']>;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What sends operations: knows the address, the credential and when to try again. */
export interface Connection {
  /** Sends one operation by its operationId and returns its answer. Throws a {@link RosterError}. */
  call<Id extends OperationId>(operation: Id, input?: CallInput<Id>): Promise<AnswerOf<Id>>;
  /** Sends an operation once and gives the answer unread; throws a {@link RosterError} when it is no success. */
  open<Id extends OperationId>(operation: Id, input?: CallInput<Id> & { readonly raw?: RawBody }): Promise<Response>;
  /** Fetches a signed path of the service, which needs no credential. */
  fetchFile(path: string, headers: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Response>;
  readonly retries: Retries;
}

/** Makes a connection; `credential` gives the headers that prove who asks. */
export function createConnection(options: ConnectionOptions, credential: Readonly<Record<string, string>>): Connection {
  const base = baseOf(options.url);
  const retries = { ...defaultRetries, ...options.retries };
  const send = options.fetch ?? ((input, init) => fetch(input, init));
  const timeout = options.timeout ?? 60_000;
  const signalOf = (own: AbortSignal | undefined): AbortSignal | undefined =>
    own === undefined || options.signal === undefined
      ? (own ?? options.signal)
      : AbortSignal.any([own, options.signal]);

  /** One attempt; the signal covers the reading of the answer as well. */
  async function attempt(
    id: string,
    url: URL,
    init: RequestInit,
  ): Promise<{ readonly response: Response; readonly text: string }> {
    const response = await send(url, init);
    const text = await response.text();
    if (!response.ok) throw readErrorAnswer(id, response, text);
    return { response, text };
  }

  async function exchange(id: OperationId, input: CallInput<OperationId>): Promise<string> {
    const operation: Operation = operations[id];
    const repeat = input.repeat ?? operation.repeat;
    const signal = signalOf(input.signal);
    const { url, init } = requestOf(base, operation, input, { ...options.headers, ...credential });
    for (let times = 1; ; times++) {
      signal?.throwIfAborted();
      const limit = AbortSignal.timeout(input.timeout ?? timeout);
      const both = signal === undefined ? limit : AbortSignal.any([signal, limit]);
      try {
        return (await attempt(id, url, { ...init, signal: both })).text;
      } catch (failure) {
        if (signal?.aborted === true) throw reasonOf(signal);
        const error = asRosterError(id, failure, limit, url);
        error.attempts = times;
        // It was there the first time, and is gone now: the repeat asked for what is so already.
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
    async call(id, input = {}) {
      const text = await exchange(id, input);
      return readAnswer(id, text) as AnswerOf<typeof id>;
    },
    async open(id, input = {}) {
      const signal = signalOf(input.signal);
      const { url, init } = requestOf(base, operations[id], input, { ...options.headers, ...credential });
      const raw: RequestInit & { duplex?: 'half' } = { ...init };
      if (input.raw !== undefined) {
        raw.body = input.raw.content;
        raw.headers = {
          ...(init.headers as Record<string, string>),
          ...input.raw.headers,
          'content-type': input.raw.type,
        };
        // A stream is sent while it is made; browsers and Node demand that this is said.
        if (input.raw.content instanceof ReadableStream) raw.duplex = 'half';
      }
      if (signal !== undefined) raw.signal = signal;
      return await openResponse(id, url, raw, signal, send);
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
    throw readErrorAnswer(id, response, await response.text());
  } catch (failure) {
    if (signal?.aborted === true) throw reasonOf(signal);
    throw asRosterError(id, failure, undefined, url);
  }
}

/** A refusal for now did nothing; what became of a request without an answer, nobody knows. */
function mayRepeat({ code, status }: RosterError, repeat: Operation['repeat']): boolean {
  if (status === 429) return true;
  return repeat !== 'unsafe' && (code === 'network' || code === 'timeout' || code === 'unavailable');
}

function readAnswer(id: string, text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const advice = 'The answer is not JSON; check that the url is that of Roster.';
    throw new RosterError('invalid_answer', `${id}: ${advice}`, { operation: id, cause });
  }
}

function asRosterError(id: string, failure: unknown, limit: AbortSignal | undefined, url: URL): RosterError {
  if (failure instanceof RosterError) return failure;
  const cause = failure;
  if (limit?.aborted === true) {
    return new RosterError('timeout', `${id}: no whole answer in time`, { operation: id, cause });
  }
  const advice = `${url.origin} cannot be reached, or the connection broke${reason(failure)}`;
  return new RosterError('network', `${id}: ${advice}`, { operation: id, cause });
}

/** Node hides the reason in the cause of a `TypeError: fetch failed`. */
function reason(failure: unknown): string {
  const inner = failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure;
  if (!(inner instanceof Error)) return '';
  const code = 'code' in inner && typeof inner.code === 'string' ? inner.code : '';
  return ` (${inner.message === '' ? code : inner.message})`;
}
