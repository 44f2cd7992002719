import type { PipelineContext } from '#pipeline/operations/operation.ts';
import type { Tally } from '#pipeline/operations/tally.ts';
import type { Write } from '#pipeline/operations/batch-model.ts';
import type { BatchAccount } from './batch-account.ts';
import type { BatchParts, BatchState } from './batch-state.ts';

/** State that another feature keeps during a batch, and how the feature writes it. */
export interface BatchPart<Name extends keyof BatchParts> {
  /** Opens the part for a batch of an account. */
  readonly open: (account: BatchAccount) => BatchParts[Name];
  /** Called when the key of a contact changes. `to` is null when the contact was deleted. */
  readonly keyChanged?: (part: BatchParts[Name], from: string, to: string | null) => void;
  /** Called after all items are applied. Returns what to write. */
  readonly plan: (part: BatchParts[Name], batch: AppliedBatch) => PartPlan;
  /**
   * True when {@link PartPlan.writes} of two batches can run at the same time, if the batches name
   * different contacts. Default: always true.
   */
  readonly areIndependent?: (a: PartPlan, b: PartPlan) => boolean;
}

/** A batch whose items are applied. */
export interface AppliedBatch {
  readonly accountId: number;
  readonly state: BatchState;
  /** The outcomes of the items. A part may correct them. */
  readonly tally: Tally;
  readonly context: PipelineContext;
}

/** The statements of a part, grouped by the time when they run. */
export interface PartPlan {
  /** Run before the contacts are written, after all earlier batches are committed. */
  readonly before?: readonly Write[];
  /** Run after the contacts are written. The previous batch may not be committed yet. */
  readonly writes?: readonly Write[];
  /** Run after all earlier batches are committed. */
  readonly sharedWrites?: readonly Write[];
}

/** The parts that a feature adds to a batch. */
export type BatchPartDefinitions = { readonly [Name in keyof BatchParts]?: BatchPart<Name> };

declare module '#platform/feature.ts' {
  interface Feature {
    /** State that the feature keeps during a batch. */
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

/** The statements of all parts of a batch. */
export interface PlannedParts extends Required<PartPlan> {
  /** See {@link BatchPart.areIndependent}. */
  isDisjointFrom(other: PlannedParts): boolean;
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
        isDisjointFrom: (other) =>
          definitions.every(([name, { areIndependent }]) => {
            const [mine, theirs] = [byName.get(name), other.byName.get(name)];
            return (
              areIndependent === undefined || mine === undefined || theirs === undefined || areIndependent(mine, theirs)
            );
          }),
      };
    },
  };
}
