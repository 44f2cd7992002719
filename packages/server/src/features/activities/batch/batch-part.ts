import type { BatchPart } from '#features/contacts/batch/batch-part.ts';
import { ActivityChanges } from './activity-changes.ts';
import { doNotMeet, planActivities, type ActivityPlan } from './plan-activities.ts';

declare module '#features/contacts/batch/batch-state.ts' {
  interface BatchParts {
    /** What the batch does to activities. */
    readonly activities: BatchActivities;
  }
}

/** What a batch does to the activities of an account. */
export interface BatchActivities {
  readonly changes: ActivityChanges;
  /** How long the account keeps activities. */
  readonly retentionMonths: number;
}

/** The activities of a batch: those that it records, and those that follow its contacts. */
export const activityPart: BatchPart<'activities'> = {
  open: ({ settings }) => ({ changes: new ActivityChanges(), retentionMonths: settings.activity_retention_months }),
  keyChanged: ({ changes }, from, to) => (to === null ? changes.forget(from) : changes.rename(from, to)),
  plan: ({ changes }, { accountId, tally }) => planActivities(accountId, changes, tally),
  areApart: (a, b) => doNotMeet((a as ActivityPlan).traces, (b as ActivityPlan).traces),
};
