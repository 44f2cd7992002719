import type { BatchPart } from '#features/contacts/batch/batch-part.ts';
import { changedActivities, namedMessages } from './changed-activities.ts';
import { changedInputs } from './changed-inputs.ts';
import { pendingKeysWrites, pendingNamesWrites, pendingWrites } from './pending-store.ts';

declare module '#features/contacts/batch/batch-state.ts' {
  interface BatchParts {
    /** What the live segments of the account depend on. Null when it has none. */
    readonly liveSegments: readonly string[] | null;
  }
}

/**
 * Stores which contacts of a batch changed in something that a live segment depends on, in the
 * transaction of the batch. Writes nothing for an account without live segments.
 */
export const liveSegmentPart: BatchPart<'liveSegments'> = {
  open: ({ liveInputs }) => liveInputs,
  plan(wanted, { accountId, state, context }) {
    if (wanted === null) return {};
    const changed = changedInputs(state.contacts.all, wanted, state.history.attributesBefore);
    const { changes } = state.parts.activities;
    // Late, so that the noted time is close to the commit.
    return {
      sharedWrites: [
        ...pendingWrites(accountId, changed, context),
        ...pendingKeysWrites(accountId, changedActivities(changes, wanted), context),
        ...pendingNamesWrites(accountId, namedMessages(changes, wanted), context),
      ],
    };
  },
};
