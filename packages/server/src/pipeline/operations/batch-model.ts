import type pg from 'pg';
import type { Shard } from '#platform/database/layout/account-servers.ts';
import type { Feature } from '#platform/feature.ts';
import type { BatchItem, PipelineContext } from './operation.ts';
import type { Tally } from './tally.ts';

/** A statement with its parameters, ready to be sent on a connection that holds the lane. */
export type Write = (client: pg.ClientBase) => Promise<unknown>;

/**
 * Loads what the items of a batch name, applies the items in memory, and plans the writes.
 *
 * One feature supplies it. The pipeline decides when and on which connection this happens, and it
 * handles failures.
 */
export interface BatchModel {
  /**
   * Opens an account whose lane is held. Open it again after a plan that outdates the model. With a
   * `shard`, all connections are to its server, and may read and write its tables directly.
   */
  open(client: pg.ClientBase, accountId: number, context: PipelineContext, shard?: Shard): Promise<AccountModel>;
}

/** The model of one account while its lane is held. */
export interface AccountModel {
  /** Returns what the items name. */
  footprint(items: readonly BatchItem[]): Footprint;
  /**
   * Applies items in memory, in order. Reads through any connection: the lane is held, so no other
   * process changes what it reads. Throws {@link BatchTooLarge} when the items need too much
   * memory.
   */
  plan(client: pg.ClientBase | pg.Pool, items: readonly BatchItem[]): Promise<Plan>;
}

/** The set of things, such as contacts, that the items of a batch name. */
export interface Footprint {
  /**
   * True when two batches certainly name different things. Then the later batch can be planned
   * before the earlier one is written.
   */
  isDisjointFrom(other: Footprint): boolean;
}

/** The result of applying items in memory: the writes and the counts. */
export interface Plan {
  /**
   * Writes to what the batch names. Two batches with disjoint {@link Footprint}s can do their
   * writes at the same time, if their plans are disjoint, too ({@link isDisjointFrom}).
   */
  readonly writes: readonly Write[];
  /**
   * Writes to what batches share, such as the counts of lists. They come after {@link writes}, when
   * all earlier batches are committed.
   */
  readonly sharedWrites: readonly Write[];
  readonly tally: Tally;
  /** True when the plan changes what all items depend on. Then open a new {@link AccountModel}. */
  readonly outdatesModel: boolean;
  /** True when the plan depends on more than its footprint. Such a plan must not be made ahead. */
  readonly exceedsFootprint: boolean;
  /** True when two plans with disjoint footprints can do {@link writes} at the same time. */
  isDisjointFrom(other: Plan): boolean;
}

/** The items of a batch need too much memory. The batch must be applied in parts. */
export class BatchTooLarge extends Error {
  override readonly name = 'BatchTooLarge';
}

declare module '#platform/feature.ts' {
  interface Feature {
    /** Applies the items of all operations. Exactly one feature has it. */
    readonly batchModel?: BatchModel;
  }
}

/** Returns the batch model of a process; throws when no feature has one. */
export function batchModelOf(features: readonly Feature[]): BatchModel {
  const model = features.find(({ batchModel }) => batchModel !== undefined)?.batchModel;
  if (model === undefined) throw new Error('no feature of this process has a batch model');
  return model;
}
