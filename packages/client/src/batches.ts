import { RosterError, type AcceptedBatch } from './transport/roster-error.ts';
import type { AcceptedAnswer } from './wire/shapes.ts';

/**
 * The items of a call: an array, a generator, or any other iterable, such as the rows of a file.
 */
export type Items<Item> = Iterable<Item> | AsyncIterable<Item>;

/** Limits of one request. */
export interface BatchLimits {
  readonly items: number;
  /** Characters of JSON. */
  readonly characters: number;
}

/** A body may have 16 MiB, and one character takes up to three bytes. */
export const charactersPerRequest = 5_000_000;

/** The items of one request. */
export interface Batch<Item> {
  /** Position of the first item in the call, from 0. */
  readonly first: number;
  readonly items: readonly Item[];
  /** The items as a JSON array. */
  readonly json: string;
}

/** Options of a call with many items. */
export interface BatchOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Number of requests that run at the same time; default: 1. With a higher number, the items may
   * be applied in another order. Use it only if no contact occurs twice in the items.
   */
  readonly concurrency?: number | undefined;
  /**
   * Makes it safe to repeat the whole call within 24 hours, even after a restart of your program.
   * You must then send the same items in the same order. The requests get the keys `<key>-0`,
   * `<key>-1`, and so on. At most 240 printable ASCII characters.
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * Seconds for which the service may wait with each answer until the request is applied, up to 30.
   * Then the requests of the result have an `outcome`. Its counts and failures need the scope
   * `requests:read`. Default: the service does not wait.
   */
  readonly wait?: number | undefined;
  /** Called after each request that was accepted. */
  readonly onAccepted?: ((batch: AcceptedBatch) => void) | undefined;
}

/** The result of a call with many items. The items are stored durably and will be applied. */
export interface Accepted {
  /** Number of accepted items. */
  readonly count: number;
  /** The requests with the items, in the order of the items. */
  readonly requests: readonly AcceptedBatch[];
}

/** Groups items into requests. Reads at most one request ahead. */
export async function* batchesOf<Item>(
  items: Items<Item>,
  limits: BatchLimits,
): AsyncGenerator<Batch<Item>, void, undefined> {
  let first = 0;
  let batch: Item[] = [];
  let texts: string[] = [];
  let characters = 0;
  const current = (): Batch<Item> => ({ first, items: batch, json: `[${texts.join(',')}]` });
  for await (const item of items) {
    const text = JSON.stringify(item);
    if (batch.length === limits.items || (batch.length > 0 && characters + text.length > limits.characters)) {
      yield current();
      first += batch.length;
      batch = [];
      texts = [];
      characters = 0;
    }
    batch.push(item);
    texts.push(text);
    characters += text.length + 1;
  }
  if (batch.length > 0) yield current();
}

/**
 * Sends batches, `concurrency` of them at a time. `send` returns the answer of the service.
 *
 * After a failure, no further batch is sent. The function waits for the running requests and then
 * throws the error. The error says which batch failed, and which batches were accepted.
 */
export async function sendBatches<Item>(
  batches: AsyncGenerator<Batch<Item>, void, undefined>,
  send: (batch: Batch<Item>, idempotencyKey: string | undefined) => Promise<AcceptedAnswer>,
  options: BatchOptions,
): Promise<Accepted> {
  const { concurrency = 1, idempotencyKey, onAccepted } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) throw new TypeError('concurrency must be a positive integer');
  const accepted: AcceptedBatch[] = [];
  const inOrder = (): AcceptedBatch[] => accepted.toSorted((a, b) => a.first - b.first);
  let number = 0;
  let failure: { readonly batch: Batch<Item> | undefined; readonly error: unknown } | undefined;

  async function sender(): Promise<void> {
    while (failure === undefined) {
      let batch: Batch<Item> | undefined;
      try {
        const next = await batches.next();
        if (next.done === true) return;
        batch = next.value;
        const key = idempotencyKey === undefined ? undefined : `${idempotencyKey}-${number}`;
        number += 1;
        const { request_id, outcome } = await send(batch, key);
        const facts = { request_id, first: batch.first, count: batch.items.length, ...(outcome && { outcome }) };
        accepted.push(facts);
        onAccepted?.(facts);
      } catch (error) {
        failure ??= { batch, error };
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, sender));
  // Close the source, such as a file, if it was not read to its end.
  await batches.return();
  if (failure === undefined) return { count: accepted.reduce((sum, { count }) => sum + count, 0), requests: inOrder() };
  const { batch, error } = failure as { batch: Batch<Item> | undefined; error: unknown };
  if (error instanceof RosterError && batch !== undefined) {
    error.batch = { first: batch.first, count: batch.items.length, accepted: inOrder() };
  }
  throw error;
}
