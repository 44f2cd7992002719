import type { PipelineContext } from '#pipeline/operations/operation.ts';
import type { Tally } from '#pipeline/operations/tally.ts';
import type { Write } from '#pipeline/operations/batch-model.ts';
import type { BatchAccount } from './batch-account.ts';
import type { BatchParts, BatchState } from './batch-state.ts';

/** A part of the state of a batch that another feature keeps, and what the feature writes of it. */
export interface BatchPart<Name extends keyof BatchParts> {
  /** Opens the part for a batch of an account. */
  readonly open: (account: BatchAccount) => BatchParts[Name];
  /** Follows a contact that has another key, or null: it was deleted. */
  readonly keyChanged?: (part: BatchParts[Name], from: string, to: string | null) => void;
  /** Says what is to be written when all items of the batch are applied. */
  readonly plan: (part: BatchParts[Name], batch: AppliedBatch) => PartPlan;
  /** True when {@link PartPlan.writes} of two batches that name different contacts can happen at the same time; default: always. */
  readonly areApart?: (a: PartPlan, b: PartPlan) => boolean;
}

/** A batch whose items are applied. */
export interface AppliedBatch {
  readonly accountId: number;
  readonly state: BatchState;
  /** What became of the items; a part may correct it. */
  readonly tally: Tally;
  readonly context: PipelineContext;
}

/** What a part of a batch writes; all of it is optional. */
export interface PartPlan {
  /** In place of its turn: before the contacts are written. Then nothing of the batch is written while another batch is. */
  readonly before?: readonly Write[];
  /** With the contacts, maybe while the batch before this one is written. */
  readonly writes?: readonly Write[];
  /** When all batches before this one are committed. */
  readonly sharedWrites?: readonly Write[];
}

/** The parts that a feature adds to a batch. */
export type BatchPartDefinitions = { readonly [Name in keyof BatchParts]?: BatchPart<Name> };

declare module '#platform/feature.ts' {
  interface Feature {
    /** What the feature keeps during a batch. */
    readonly batchParts?: BatchPartDefinitions;
  }
}

type AnyPart = BatchPart<never>;

/** The parts of one batch. */
export interface OpenParts {
  readonly parts: BatchParts;
  keyChanged(from: string, to: string | null): void;
  /** Plans all parts, in the order of the features. */
  plan(batch: AppliedBatch): PlannedParts;
}

/** What the parts of a batch write. */
export interface PlannedParts extends Required<PartPlan> {
  /** True when {@link PartPlan.writes} of two batches that name different contacts can happen at the same time. */
  isApartFrom(other: PlannedParts): boolean;
  readonly byName: ReadonlyMap<string, PartPlan>;
}

/** Opens the parts of a batch of an account. */
export function openParts({ features }: Pick<PipelineContext, 'features'>, account: BatchAccount): OpenParts {
  const definitions = features.flatMap(({ batchParts = {} }) => Object.entries(batchParts) as [string, never][]) as [
    string,
    AnyPart,
  ][];
  const opened = new Map<string, never>(definitions.map(([name, { open }]) => [name, open(account)]));
  const partOf = (name: string): never => opened.get(name)!;
  return {
    parts: Object.fromEntries(opened) as unknown as BatchParts,
    keyChanged(from, to) {
      for (const [name, { keyChanged }] of definitions) keyChanged?.(partOf(name), from, to);
    },
    plan(batch) {
      const plans = definitions.map(([name, { plan }]) => [name, plan(partOf(name), batch)] as const);
      const byName = new Map<string, PartPlan>(plans);
      return {
        before: plans.flatMap(([, { before = [] }]) => before),
        writes: plans.flatMap(([, { writes = [] }]) => writes),
        sharedWrites: plans.flatMap(([, { sharedWrites = [] }]) => sharedWrites),
        byName,
        isApartFrom: (other) =>
          definitions.every(([name, { areApart }]) => {
            const [mine, theirs] = [byName.get(name), other.byName.get(name)];
            return areApart === undefined || mine === undefined || theirs === undefined || areApart(mine, theirs);
          }),
      };
    },
  };
}
