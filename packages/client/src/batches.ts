import { RosterError, type AcceptedBatch } from './transport/roster-error.ts';

/** Items of a call: an array, or anything that gives them one by one, such as the rows of a file. */
export type Items<Item> = Iterable<Item> | AsyncIterable<Item>;

/** Most of one request. */
export interface BatchLimits {
  readonly items: number;
  /** Characters of JSON: a third of the 16 MiB of a body, since one takes up to three bytes. */
  readonly characters: number;
}

/** Characters of JSON that fit into a body of 16 MiB, whatever they are. */
export const charactersPerRequest = 5_000_000;

/** Items of one request. */
export interface Batch<Item> {
  /** Position of the first item, from 0. */
  readonly first: number;
  readonly items: readonly Item[];
  /** The same as a JSON array. */
  readonly json: string;
}

/** What a caller says about a call with many items. */
export interface BatchOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Requests that are under way at the same time; default: 1. Requests of one account take effect in the order in which they are accepted, and
   * only with 1 that is the order of the items: use more when no contact is in the items twice.
   */
  readonly concurrency?: number | undefined;
  /**
   * Makes a repeat of the whole call harmless, over a restart of the caller too, for 24 hours: the requests get the keys `<key>-0`, `<key>-1` and
   * so on. It must then have the same items in the same order. At most 240 printable ASCII characters.
   */
  readonly idempotencyKey?: string | undefined;
  /** Told of each request once it is accepted. */
  readonly onAccepted?: ((batch: AcceptedBatch) => void) | undefined;
}

/** What became of a call with many items: they are stored durably and will be applied. */
export interface Accepted {
  /** How many items were accepted. */
  readonly count: number;
  /** The requests that carry them, in the order of the items. */
  readonly requests: readonly AcceptedBatch[];
}

/** Gathers items into requests, without reading further ahead than one request. */
export async function* batchesOf<Item>(
  items: Items<Item>,
  limits: BatchLimits,
): AsyncGenerator<Batch<Item>, void, undefined> {
  let first = 0;
  let batch: Item[] = [];
  let texts: string[] = [];
  let characters = 0;
  const gathered = (): Batch<Item> => ({ first, items: batch, json: `[${texts.join(',')}]` });
  for await (const item of items) {
    const text = JSON.stringify(item);
    if (batch.length === limits.items || (batch.length > 0 && characters + text.length > limits.characters)) {
      yield gathered();
      first += batch.length;
      batch = [];
      texts = [];
      characters = 0;
    }
    batch.push(item);
    texts.push(text);
    characters += text.length + 1;
  }
  if (batch.length > 0) yield gathered();
}

/**
 * Sends batches, `concurrency` of them at a time; `send` returns the identifier of the request.
 *
 * After a failure no further one is begun; those under way are waited for, and the error says which batch it was and what was accepted.
 */
export async function sendBatches<Item>(
  batches: AsyncGenerator<Batch<Item>, void, undefined>,
  send: (batch: Batch<Item>, idempotencyKey: string | undefined) => Promise<string>,
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
        const facts = { request_id: await send(batch, key), first: batch.first, count: batch.items.length };
        accepted.push(facts);
        onAccepted?.(facts);
      } catch (error) {
        failure ??= { batch, error };
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, sender));
  // Lets go of the source, such as a file, that was not read to its end.
  await batches.return();
  if (failure === undefined) return { count: accepted.reduce((sum, { count }) => sum + count, 0), requests: inOrder() };
  const { batch, error } = failure as { batch: Batch<Item> | undefined; error: unknown };
  if (error instanceof RosterError && batch !== undefined) {
    error.batch = { first: batch.first, count: batch.items.length, accepted: inOrder() };
  }
  throw error;
}
