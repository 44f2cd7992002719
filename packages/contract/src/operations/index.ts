import type { Operation } from './definition/operation.ts';
import { memberOperations } from './groups/access/members.ts';
import { ownProfileOperations } from './groups/access/profile.ts';
import { signInOperations } from './groups/access/sign-in.ts';
import { accountDeletionOperations } from './groups/operator/account-deletions.ts';
import { accountOperations } from './groups/accounts.ts';
import { activityOperations } from './groups/activities.ts';
import { attributeOperations } from './groups/attributes.ts';
import { audienceOperations } from './groups/audiences.ts';
import { auditLogOperations } from './groups/audit-log.ts';
import { batchAddOperations } from './groups/batch-add.ts';
import { bulkChangeOperations } from './groups/operator/bulk-changes.ts';
import { callbackOperations } from './groups/callbacks.ts';
import { contactOperations } from './groups/contacts.ts';
import { exportScheduleOperations } from './groups/console/export-schedules.ts';
import { runningWorkOperations } from './groups/console/running-work.ts';
import { savedViewOperations } from './groups/console/saved-views.ts';
import { derivedAttributeOperations } from './groups/operator/derived-attributes.ts';
import { eventOperations } from './groups/operator/events.ts';
import { eventSubscriptionOperations } from './groups/operator/event-subscriptions.ts';
import { exportOperations } from './groups/exports.ts';
import { importFileOperations } from './groups/import-files.ts';
import { importOperations } from './groups/imports.ts';
import { lifecycleOperations } from './groups/lifecycle.ts';
import { mailOperations } from './groups/mails.ts';
import { audienceListOperations } from './groups/older/audience-list.ts';
import { blacklistOperations } from './groups/older/blacklist.ts';
import { profileOperations } from './groups/people/profiles.ts';
import { privacyOperations } from './groups/privacy.ts';
import { statisticsOperations } from './groups/operator/statistics.ts';
import { systemOperations } from './groups/operator/system.ts';
import { requestOperations } from './groups/requests.ts';

/**
 * Every operation of the API, by its id. The routes, the OpenAPI document and the client are made
 * from this table.
 *
 * The documentation lists the operations by generation, and within a generation in this order.
 */
export const operations = {
  ...accountOperations,
  ...accountDeletionOperations,
  ...callbackOperations,
  ...contactOperations,
  ...attributeOperations,
  ...audienceOperations,
  ...requestOperations,
  ...mailOperations,
  ...exportOperations,
  ...exportScheduleOperations,
  ...runningWorkOperations,
  ...savedViewOperations,
  ...auditLogOperations,
  ...eventOperations,
  ...eventSubscriptionOperations,
  ...derivedAttributeOperations,
  ...profileOperations,
  ...lifecycleOperations,
  ...importOperations,
  ...privacyOperations,
  ...activityOperations,
  ...statisticsOperations,
  ...importFileOperations,
  ...batchAddOperations,
  ...blacklistOperations,
  ...audienceListOperations,
  ...bulkChangeOperations,
  ...systemOperations,
  ...signInOperations,
  ...ownProfileOperations,
  ...memberOperations,
};

/** Id of an operation: its `operationId`. */
export type OperationId = keyof typeof operations;

/** The operation with an id. */
export type OperationOf<Id extends OperationId> = (typeof operations)[Id];

/** The table with one type for all operations, for code that loops over them. */
export const operationTable: Readonly<Record<OperationId, Operation>> = operations;

export { errorsOf, storesRequests } from './definition/errors.ts';
export { generations, type Generation } from './definition/generations.ts';
export { paramsOf, pathParameters } from './definition/path-parameters.ts';
export { requestFailures } from './definition/request-failures.ts';
export { tags } from './definition/tags.ts';
export type {
  AnswerOf,
  BodyOf,
  CallbackDocs,
  Examples,
  MediaTypeDocs,
  Operation,
  ParamsOf,
  QueryOf,
  Requirement,
} from './definition/operation.ts';
