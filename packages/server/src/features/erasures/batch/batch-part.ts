import type { Author } from '#platform/audit-log/audit-log.ts';
import type { BatchPart } from '#features/contacts/batch/batch-part.ts';
import type { Identifier } from '#features/contacts/model/identifiers.ts';
import { erasureWrites } from './writes.ts';

declare module '#features/contacts/batch/batch-state.ts' {
  interface BatchParts {
    /** The erasures of the batch, in order. */
    readonly erasures: PlannedErasure[];
  }
}

/** A contact that a batch erases. Times are RFC 3339. */
export interface PlannedErasure {
  /** Id of the request. */
  readonly erasureId: string;
  readonly contactId: number;
  /** The caller who asked for the erasure. */
  readonly author: Author;
  readonly identifiers: readonly Identifier[];
  /** When the request was accepted. */
  readonly acceptedAt: string;
}

/**
 * The erasures of a batch. They are written before the contacts are deleted: the lists of a contact
 * tell which export files may contain it.
 */
export const erasurePart: BatchPart<'erasures'> = {
  open: () => [],
  plan: (erasures, { accountId, state, context }) => ({
    before: erasureWrites(accountId, state.registry.primaryKey, erasures, context),
  }),
};
