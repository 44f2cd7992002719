import type pg from 'pg';
import type { Feature } from '#platform/feature.ts';
import type { BatchItem, PipelineContext } from './operation.ts';
import type { Tally } from './tally.ts';

/** A statement with its parameters, ready to be sent on a connection that holds the lane. */
export type Write = (client: pg.ClientBase) => Promise<unknown>;

/**
 * What items are applied to: loads what they name, applies them in memory and says what to write.
 *
 * One feature supplies it. The pipeline decides when and on which connection that happens, and what becomes of failures.
 */
export interface BatchModel {
  /** Begins with an account whose lane is held; again after a request that changed what all items depend on. */
  open(client: pg.ClientBase, accountId: number, context: PipelineContext): Promise<AccountModel>;
}

/** The model of one account while its lane is held. */
export interface AccountModel {
  /** What the items name. */
  footprint(items: readonly BatchItem[]): Footprint;
  /**
   * Applies items in memory, in order. Reads through any connection: the lane is held, so nobody else changes what it reads.
   * Throws a {@link BatchTooLarge} when the items need too much memory together.
   */
  plan(client: pg.ClientBase | pg.Pool, items: readonly BatchItem[]): Promise<Plan>;
}

/** What the items of a batch name. */
export interface Footprint {
  /** True when two batches certainly name different things: the later one can be planned before the earlier one is written. */
  isApartFrom(other: Footprint): boolean;
}

/** Items that were applied in memory: what has to be written, and what became of them. */
export interface Plan {
  /**
   * What concerns only what the batch names. Two batches with different {@link Footprint}s can do it at the same time, unless their plans
   * meet ({@link isApartFrom}).
   */
  readonly writes: readonly Write[];
  /** What batches have in common, such as the counts of lists: after {@link writes}, when all batches before this one are committed. */
  readonly sharedWrites: readonly Write[];
  readonly tally: Tally;
  /** The plan changes what all items depend on: an {@link AccountModel} from before it is out of date. */
  readonly outdatesModel: boolean;
  /** The plan depends on more than its footprint shows. It cannot be made ahead of its turn. */
  readonly exceedsFootprint: boolean;
  /** True when {@link writes} of two plans with different footprints can happen at the same time. */
  isApartFrom(other: Plan): boolean;
}

/** The items of a batch need too much memory together: the batch has to be applied in parts. */
export class BatchTooLarge extends Error {
  override readonly name = 'BatchTooLarge';
}

declare module '#platform/feature.ts' {
  interface Feature {
    /** What the items of all operations are applied to. Exactly one feature has it. */
    readonly batchModel?: BatchModel;
  }
}

/** The batch model of a process; throws when no feature has one. */
export function batchModelOf(features: readonly Feature[]): BatchModel {
  const model = features.find(({ batchModel }) => batchModel !== undefined)?.batchModel;
  if (model === undefined) throw new Error('no feature of this process has a batch model');
  return model;
}
