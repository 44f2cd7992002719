import { accounts } from '#features/accounts/index.ts';
import { activities } from '#features/activities/index.ts';
import { attributes } from '#features/attributes/index.ts';
import { attributeIndexes } from '#features/attribute-indexes/index.ts';
import { attributeValues } from '#features/attribute-values/index.ts';
import { backups } from '#features/backups/index.ts';
import { bulkChanges } from '#features/bulk-changes/index.ts';
import { batchAdd } from '#features/batch-add/index.ts';
import { contacts } from '#features/contacts/index.ts';
import { callbacks } from '#features/callbacks/index.ts';
import { events } from '#features/events/index.ts';
import { eventSubscriptions } from '#features/event-subscriptions/index.ts';
import { erasures } from '#features/erasures/index.ts';
import { exports } from '#features/exports/index.ts';
import { audiences } from '#features/audiences/index.ts';
import { auditLog } from '#features/audit-log/index.ts';
import { olderCalls } from '#features/older-calls/index.ts';
import { olderAudiences } from '#features/older-audiences/index.ts';
import { people } from '#features/people/index.ts';
import { personExport } from '#features/person-export/index.ts';
import { profiles } from '#features/profiles/index.ts';
import { runningWork } from '#features/running-work/index.ts';
import { savedViews } from '#features/saved-views/index.ts';
import { registry } from '#features/registry/index.ts';
import { requestLog } from '#features/request-log/index.ts';
import { users } from '#features/users/index.ts';
import { system } from '#features/system/index.ts';
import { userActivity } from '#features/user-activity/index.ts';
import type { Feature } from '#platform/feature.ts';
import { imports } from '#features/imports/index.ts';
import { indexSizes } from '#features/index-sizes/index.ts';
import { liveSegments } from '#features/live-segments/index.ts';
import { mails } from '#features/mails/index.ts';
import { search } from '#features/search/index.ts';
import { statistics } from '#features/statistics/index.ts';
import { signUps } from '#features/sign-ups/index.ts';

/** All features of the service. A feature may import only the features before it. */
export const features: readonly Feature[] = [
  registry,
  accounts,
  auditLog,
  search,
  contacts,
  events,
  liveSegments,
  audiences,
  olderAudiences,
  attributes,
  attributeIndexes,
  attributeValues,
  indexSizes,
  activities,
  userActivity,
  profiles,
  callbacks,
  mails,
  users,
  eventSubscriptions,
  signUps,
  batchAdd,
  exports,
  imports,
  people,
  requestLog,
  erasures,
  olderCalls,
  personExport,
  bulkChanges,
  system,
  statistics,
  runningWork,
  savedViews,
  backups,
];
