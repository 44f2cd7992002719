import type pg from 'pg';
import { leaveLane, shareLane } from './lane.ts';
import type { NextBatch, ReadyBatch } from './read-ahead.ts';

/**
 * Writes a batch on a connection that holds the lane. `earlier` resolves when the batches before it are committed; `onReady` is told when
 * the batch is planned.
 */
export type WriteBatch = (
  client: pg.ClientBase,
  batch: NextBatch,
  earlier: Promise<unknown>,
  onReady: (batch: ReadyBatch) => void,
) => Promise<void>;

interface UnderWay {
  readonly batch: ReadyBatch;
  readonly client: pg.PoolClient;
  readonly done: Promise<void>;
}

/**
 * Writes the batches of an account, two at a time where that is faster: PostgreSQL uses one core for each connection, and while one batch
 * waits for the disk the next is written. They are committed in their order, so that nobody can tell.
 *
 * A batch that fails, fails those behind it. Dispose it to wait for what is under way; whether that went well, {@link settled} says.
 */
export class LaneWriters implements AsyncDisposable {
  readonly #pool: pg.Pool;
  readonly #accountId: number;
  readonly #write: WriteBatch;
  readonly #clients: pg.PoolClient[];
  /** Oldest first; one that failed stays. */
  readonly #underWay: UnderWay[] = [];
  #isWidened = false;

  /** `client` holds the lane of the account, and stays the caller's. */
  constructor(pool: pg.Pool, client: pg.PoolClient, accountId: number, write: WriteBatch) {
    this.#pool = pool;
    this.#accountId = accountId;
    this.#write = write;
    this.#clients = [client];
  }

  /** The batches that are being written, oldest first. */
  get underWay(): readonly ReadyBatch[] {
    return this.#underWay.map(({ batch }) => batch);
  }

  /** Gets a second connection, unless somebody waits for the lane. Nothing may be under way. */
  async widen(): Promise<void> {
    if (this.#isWidened) return;
    this.#isWidened = true;
    const second = await this.#pool.connect();
    let isShared = false;
    try {
      isShared = await shareLane(this.#clients[0]!, second, this.#accountId);
    } finally {
      if (isShared) this.#clients.push(second);
      // What failed in the middle may have got the lock all the same.
      else second.release(true);
    }
  }

  /** Begins to write a batch when a connection is free, and answers it when it is planned. Rejects when it or one before it has failed. */
  async begin(next: NextBatch): Promise<ReadyBatch> {
    while (this.#underWay.length === this.#clients.length) await this.#underWay[0]!.done;
    const earlier = this.#underWay.at(-1)?.done ?? Promise.resolve();
    const client = this.#clients.find((one) => this.#underWay.every((other) => other.client !== one))!;
    const ready = Promise.withResolvers<ReadyBatch>();
    const onReady = (batch: ReadyBatch): void => {
      this.#underWay.push({ batch, client, done });
      ready.resolve(batch);
    };
    const done = this.#write(client, next, earlier, onReady).then(() => {
      this.#underWay.shift();
    });
    // It is awaited later, too: if it fails before, that must not count as unhandled and end the process.
    done.catch(ready.reject);
    return ready.promise;
  }

  /** Resolves when everything that was begun is committed; rejects with why the first of them was not. */
  async settled(): Promise<void> {
    while (this.#underWay.length > 0) await this.#underWay[0]!.done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#underWay.map(({ done }) => done));
    const [, second] = this.#clients;
    if (second === undefined) return;
    const isBroken =
      this.#underWay.length > 0 ||
      (await leaveLane(second, this.#accountId).then(
        () => false,
        () => true,
      ));
    // A connection that failed may still hold the lane: closing it is what lets go.
    second.release(isBroken);
  }
}
