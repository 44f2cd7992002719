import type { SummaryState } from '#features/accounts/store/summary-state-store.ts';
import type { BatchPart } from '#features/contacts/batch/batch-part.ts';
import { createPartitions } from '../store/partition-store.ts';
import { ActivityChanges } from './activity-changes.ts';
import { areIndependent, planActivities, type ActivityPlan } from './plan-activities.ts';

declare module '#features/contacts/batch/batch-state.ts' {
  interface BatchParts {
    readonly activities: BatchActivities;
  }
}

// Seconds. Usually, partitions are created long before they are needed.
const lockTimeout = 5;

/** What a batch does to the activities of an account. */
export interface BatchActivities {
  readonly changes: ActivityChanges;
  /** The time zone of the account. */
  readonly timeZone: string;
  /** How long the account keeps activities. */
  readonly retentionMonths: number;
  /** Whether the account has summaries of activities. */
  readonly summaries: SummaryState;
}

/** The part of a batch that records activities, and moves the activities of changed contacts. */
export const activityPart: BatchPart<'activities'> = {
  open: ({ settings, timeZone, summaries }) => ({
    changes: new ActivityChanges(),
    timeZone,
    retentionMonths: settings.activity_retention_months,
    summaries,
  }),
  keyChanged: ({ changes }, from, to) => (to === null ? changes.deleteKey(from) : changes.changeKey(from, to)),
  plan: ({ changes, ...account }, { accountId, tally, context }) =>
    planActivities(
      {
        ...account,
        accountId,
        now: context.now(),
        // Only the coordinator of a cluster can create partitions. The batch waits meanwhile, and
        // PostgreSQL cannot see that. So a wait for a lock must end, in case its holder waits for the
        // batch. The batch is then rolled back and tried again.
        addPartitions: (months) =>
          context.db.transaction().execute((trx) => createPartitions(trx, months, lockTimeout)),
      },
      changes,
      tally,
    ),
  areIndependent: (a, b) => areIndependent((a as ActivityPlan).footprint, (b as ActivityPlan).footprint),
};
