import type pg from 'pg';
import type { PlaceInLine } from './apply.ts';
import { leaveLane, shareLane } from '../log/lane.ts';
import type { NextBatch, ReadyBatch } from './read-ahead.ts';

/** Writes a batch on a connection that holds the lane; `onReady` is told when it is planned. */
export type WriteBatch = (
  client: pg.ClientBase,
  batch: NextBatch,
  place: PlaceInLine,
  onReady: (batch: ReadyBatch) => void,
) => Promise<void>;

interface UnderWay {
  readonly batch: ReadyBatch;
  readonly client: pg.PoolClient;
  /** As {@link PlaceInLine.earlier} of the batch behind it. */
  readonly committed: Promise<void>;
  readonly done: Promise<void>;
}

/**
 * Writes the batches of an account, two at a time where that is faster: PostgreSQL uses one core for each connection, and while one batch
 * waits for the disk the next is written. They are committed in their order, so that what is visible is the beginning of what was accepted.
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
  #hasFailed = false;
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

  /** Gets a second connection, if there is one and nobody waits for the lane. Nothing may be under way. */
  async widen(): Promise<void> {
    if (this.#isWidened) return;
    this.#isWidened = true;
    const second = await this.#pool.connect().catch(() => undefined);
    if (second === undefined) return;
    // What fails here has its cause in the first connection or in the database: the next statement will say so.
    const isShared = await shareLane(this.#clients[0]!, second, this.#accountId).catch(() => false);
    if (isShared) this.#clients.push(second);
    // It may have got the lock all the same.
    else second.release(true);
  }

  /** Begins to write a batch when a connection is free, and answers it when it is planned. Rejects when it or one before it has failed. */
  async begin(next: NextBatch): Promise<ReadyBatch> {
    while (this.#underWay.length === this.#clients.length) await this.#underWay[0]!.done;
    if (this.#hasFailed) await this.settled();
    const client = this.#clients.find((one) => this.#underWay.every((other) => other.client !== one))!;
    const ready = Promise.withResolvers<ReadyBatch>();
    const committed = Promise.withResolvers<void>();
    const place: PlaceInLine = {
      earlier: this.#underWay.at(-1)?.committed ?? Promise.resolve(),
      split: () => committed.reject(new Error('the batch is applied in parts')),
    };
    const onReady = (batch: ReadyBatch): void => {
      this.#underWay.push({ batch, client, committed: committed.promise, done });
      ready.resolve(batch);
    };
    const done = this.#write(client, next, place, onReady).then(
      () => {
        this.#underWay.shift();
        committed.resolve();
      },
      (error: unknown) => {
        this.#hasFailed = true;
        committed.reject(error);
        throw error;
      },
    );
    // These are awaited later, or by nobody: what fails before that must not count as unhandled and end the process.
    committed.promise.catch(() => undefined);
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
