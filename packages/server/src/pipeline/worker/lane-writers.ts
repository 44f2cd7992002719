import type pg from 'pg';
import type { CommitOrder } from './apply.ts';
import type { LaneConnections } from './lane-connections.ts';
import type { NextBatch, ReadyBatch } from './read-ahead.ts';

/** Writes a batch on a connection with the lane. Calls `onReady` when the batch is planned. */
export type WriteBatch = (
  client: pg.ClientBase,
  batch: NextBatch,
  order: CommitOrder,
  onReady: (batch: ReadyBatch) => void,
) => Promise<void>;

interface UnderWay {
  readonly batch: ReadyBatch;
  readonly client: pg.PoolClient;
  /**
   * Resolves when the batch is committed. Rejects as soon as it is clear that it will not be
   * committed as a whole: the next batch waits for this ({@link CommitOrder.earlier}).
   */
  readonly committed: Promise<void>;
  /** Resolves when the batch is committed, maybe in parts. Rejects when it was not committed. */
  readonly done: Promise<void>;
}

/**
 * Writes the batches of a lane, two at the same time where that is faster. PostgreSQL uses one
 * core for each connection, and one batch can be written while another waits for the disk. The
 * batches commit in order, so a later request is never visible before an earlier one.
 *
 * When a batch fails, later batches fail, too. Disposing waits for the batches under way,
 * whether they succeed or not. {@link settled} rejects if one of them fails.
 */
export class LaneWriters implements AsyncDisposable {
  readonly #connections: LaneConnections;
  readonly #write: WriteBatch;
  readonly #clients: pg.PoolClient[];
  /** Oldest first. A batch that failed stays here. */
  readonly #underWay: UnderWay[] = [];
  #hasFailed = false;
  #hasTriedSecond = false;

  constructor(connections: LaneConnections, write: WriteBatch) {
    this.#connections = connections;
    this.#write = write;
    this.#clients = [connections.first];
  }

  /** The batches that are being written, oldest first. */
  get underWay(): readonly ReadyBatch[] {
    return this.#underWay.map(({ batch }) => batch);
  }

  /**
   * Opens a second connection, unless none is free or another process waits for the lane. Tries
   * only once. Call it only when no batch is under way.
   */
  async openSecondConnection(): Promise<void> {
    if (this.#hasTriedSecond) return;
    this.#hasTriedSecond = true;
    const second = await this.#connections.openSecond();
    if (second !== undefined) this.#clients.push(second);
  }

  /**
   * Begins to write a batch when a connection is free, and returns the batch when it is planned.
   * Rejects when this batch or an earlier one has failed.
   */
  async begin(next: NextBatch): Promise<ReadyBatch> {
    while (this.#underWay.length === this.#clients.length) await this.#underWay[0]!.done;
    if (this.#hasFailed) await this.settled();
    const client = this.#clients.find((one) => this.#underWay.every((other) => other.client !== one))!;
    const ready = Promise.withResolvers<ReadyBatch>();
    const committed = Promise.withResolvers<void>();
    const order: CommitOrder = {
      earlier: this.#underWay.at(-1)?.committed ?? Promise.resolve(),
      split: () => committed.reject(new Error('the batch is applied in parts')),
    };
    const onReady = (batch: ReadyBatch): void => {
      this.#underWay.push({ batch, client, committed: committed.promise, done });
      ready.resolve(batch);
    };
    const done = this.#write(client, next, order, onReady).then(
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
    // These may be awaited late or never. An unhandled rejection would end the process.
    committed.promise.catch(() => undefined);
    done.catch(ready.reject);
    return ready.promise;
  }

  /** Resolves when all batches are committed; rejects with the error of the first that was not. */
  async settled(): Promise<void> {
    while (this.#underWay.length > 0) await this.#underWay[0]!.done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#underWay.map(({ done }) => done));
    const [, second] = this.#clients;
    if (second === undefined) return;
    await this.#connections.closeSecond(second, this.#underWay.length > 0);
  }
}
