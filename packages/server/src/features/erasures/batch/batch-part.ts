import type { BatchPart } from '#features/contacts/batch/batch-part.ts';
import type { Identifier } from '#features/contacts/model/identifiers.ts';
import { erasureWrites } from './writes.ts';

declare module '#features/contacts/batch/batch-state.ts' {
  interface BatchParts {
    /** The erasures of the batch, in order. */
    readonly erasures: PlannedErasure[];
  }
}

/** A contact that a batch erases. */
export interface PlannedErasure {
  /** The request. */
  readonly erasureId: string;
  readonly contactId: number;
  /** What the contact is known by. */
  readonly identifiers: readonly Identifier[];
  /** RFC 3339 text. */
  readonly contactCreatedAt: string;
  /** When the request was accepted, RFC 3339. */
  readonly acceptedAt: string;
}

/** The erasures of a batch. They come before the contacts go: what the contacts are in the database says which files they may be in. */
export const erasurePart: BatchPart<'erasures'> = {
  open: () => [],
  plan: (erasures, { accountId, state, context }) => ({
    before: erasureWrites(accountId, state.registry.primaryKey, erasures, context),
  }),
};
