import { recordActivities, type NewActivity } from './activities.ts';
import type { Accepted, BatchOptions, Items } from './batches.ts';
import { Attributes } from './attributes.ts';
import { Contacts } from './contacts.ts';
import { forAccount, type CallOptions, type Connection } from './transport/connection.ts';
import { listRows, type ListOptions } from './transport/list-rows.ts';
import { createEvents } from './account/events.ts';
import { createEventSubscriptions } from './account/event-subscriptions.ts';
import { createExportSchedules } from './account/export-schedules.ts';
import { createExports } from './account/exports.ts';
import { createOperatorContacts } from './operator-contacts.ts';
import { createImports } from './account/imports.ts';
import { createForgotten } from './forgotten.ts';
import { createRequests } from './requests.ts';
import { createStatistics } from './statistics.ts';
import { createRunningWork } from './account/running-work.ts';
import { createSavedViews } from './account/saved-views.ts';
import { waitUntil, type WaitOptions } from './transport/waiting.ts';
import type {
  AttributeValuesQuery,
  BulkChange,
  CreateApiKeyBody,
  CreateBulkChangeBody,
  CreateInvitationBody,
  CreateListBody,
  CreateSegmentBody,
  CreateSignUpBody,
  Erasure,
  ListAuditLogQuery,
  ListBulkChangesQuery,
  ListDeliveriesQuery,
  ListGrowthQuery,
  ListListsQuery,
  ListMailsQuery,
  ListRequestsQuery,
  ListSegmentChangesQuery,
  ListSegmentsQuery,
  SegmentGrowthQuery,
  UpdateAccountBody,
  UpdateListBody,
  UpdateMemberBody,
  UpdateSegmentBody,
} from './wire/shapes.ts';

/** The operations of an operator on one account. */
export type AccountOperator = ReturnType<typeof createAccountOperator>;

/** Creates the operations on one account. */
export function createAccountOperator(connection: Connection, accountId: number) {
  const account = forAccount(connection, accountId);
  return {
    /** The number of the account. */
    accountId,

    /** The operations of API keys, with the credential of the operator or person. */
    asApiKey: { contacts: new Contacts(account), attributes: new Attributes(account) },

    /** Returns the account. */
    get: (options?: CallOptions) => account.call('getAccount', options),

    /** Changes the account. Absent fields stay as they are. */
    update: (change: UpdateAccountBody, options?: CallOptions) =>
      account.call('updateAccount', { ...options, body: change }),

    /** API keys. */
    apiKeys: {
      list: (options?: ListOptions) => listRows(account, 'listApiKeys', options),
      /** Creates a key. Only this response contains it. */
      create: (key: CreateApiKeyBody, options?: CallOptions) => account.call('createApiKey', { ...options, body: key }),
      /** Revokes a key. This cannot be undone. */
      revoke: (apiKeyId: number, options?: CallOptions) =>
        account.call('revokeApiKey', { ...options, path: { api_key_id: apiKeyId } }),
    },

    /** The people with a role in the account. */
    members: {
      list: (options?: ListOptions) => listRows(account, 'listMembers', options),
      /** Changes the role, or whether the person sees unmasked values. */
      update: (userId: number, change: UpdateMemberBody, options?: CallOptions) =>
        account.call('updateMember', { ...options, path: { user_id: userId }, body: change }),
      remove: (userId: number, options?: CallOptions) =>
        account.call('removeMember', { ...options, path: { user_id: userId } }),
    },

    /** Invitations to the account that nobody has accepted yet. */
    invitations: {
      list: (options?: ListOptions) => listRows(account, 'listInvitations', options),
      /** Invites a person. Without a mail server, the answer has the link. */
      create: (invitation: CreateInvitationBody, options?: CallOptions) =>
        account.call('createInvitation', { ...options, body: invitation }),
      delete: (invitationId: number, options?: CallOptions) =>
        account.call('deleteInvitation', { ...options, path: { invitation_id: invitationId } }),
    },

    /** Lists: audiences with members. */
    lists: {
      list: (options?: ListOptions<ListListsQuery>) => listRows(account, 'listLists', options),
      get: (audienceId: number, options?: CallOptions) =>
        account.call('getList', { ...options, path: { audience_id: audienceId } }),
      /** Returns how many contacts joined and left the list on each of the last days (default 30). */
      growth: (audienceId: number, { days, ...options }: CallOptions & ListGrowthQuery = {}) =>
        account.call('getListGrowth', { ...options, path: { audience_id: audienceId }, query: { days } }),
      create: (list: CreateListBody, options?: CallOptions) => account.call('createList', { ...options, body: list }),
      update: (audienceId: number, change: UpdateListBody, options?: CallOptions) =>
        account.call('updateList', { ...options, path: { audience_id: audienceId }, body: change }),
      /** Deletes the list. Its members remain contacts. */
      delete: (audienceId: number, options?: CallOptions) =>
        account.call('deleteList', { ...options, path: { audience_id: audienceId } }),
    },

    /** Segments: audiences that are defined by a filter. */
    segments: {
      list: (options?: ListOptions<ListSegmentsQuery>) => listRows(account, 'listSegments', options),
      get: (audienceId: number, options?: CallOptions) =>
        account.call('getSegment', { ...options, path: { audience_id: audienceId } }),
      create: (segment: CreateSegmentBody, options?: CallOptions) =>
        account.call('createSegment', { ...options, body: segment }),
      update: (audienceId: number, change: UpdateSegmentBody, options?: CallOptions) =>
        account.call('updateSegment', { ...options, path: { audience_id: audienceId }, body: change }),
      delete: (audienceId: number, options?: CallOptions) =>
        account.call('deleteSegment', { ...options, path: { audience_id: audienceId } }),
      /** Returns the number of contacts that match now. */
      count: async (audienceId: number, options?: CallOptions): Promise<number> =>
        (await account.call('countSegment', { ...options, path: { audience_id: audienceId } })).count,
      /** Entries and departures of a live segment, newest first. */
      changes: (audienceId: number, options?: ListOptions<ListSegmentChangesQuery>) =>
        listRows(account, 'listSegmentChanges', options, { audience_id: audienceId }),
      /** Returns how many contacts the segment had on each counted day (default: the last 30 days). */
      growth: (audienceId: number, { from, ...options }: CallOptions & SegmentGrowthQuery = {}) =>
        account.call('getSegmentGrowth', { ...options, path: { audience_id: audienceId }, query: { from } }),
    },

    /** Attributes with their indexes. */
    attributes: {
      list: (options?: ListOptions) => listRows(account, 'listAttributes', options),
      get: (attributeId: number, options?: CallOptions) =>
        account.call('getAttribute', { ...options, path: { attribute_id: attributeId } }),
      /** Returns the most frequent values of an attribute. */
      values: (attributeId: number, { contains, limit, ...options }: CallOptions & AttributeValuesQuery = {}) => {
        const query = { contains, limit };
        return account.call('listAttributeValues', { ...options, path: { attribute_id: attributeId }, query });
      },
      /** Adds or removes the index of an attribute. It is built in the background. */
      index: (attributeId: number, indexed: boolean, options?: CallOptions) =>
        account.call('indexAttribute', { ...options, path: { attribute_id: attributeId }, body: { indexed } }),
    },

    /** Accepted requests and their results. */
    requests: {
      list: (options?: ListOptions<ListRequestsQuery>) => listRows(account, 'listRequests', options),
      ...createRequests((requestId, input) =>
        account.call('getRequest', { ...input, path: { request_id: requestId } }),
      ),
    },

    /** Callbacks and their attempts. */
    deliveries: {
      list: (options?: ListOptions<ListDeliveriesQuery>) => listRows(account, 'listDeliveries', options),
      get: (deliveryId: string, options?: CallOptions) =>
        account.call('getDelivery', { ...options, path: { delivery_id: deliveryId } }),
      /** Sends a delivered or failed callback again. */
      replay: (deliveryId: string, options?: CallOptions) =>
        account.call('replayDelivery', { ...options, path: { delivery_id: deliveryId } }),
    },

    /** The secret that signs callbacks. */
    signingSecret: {
      get: (options?: CallOptions) => account.call('getSigningSecret', options),
      /** Creates a new secret. For 24 hours, callbacks are signed with both secrets. */
      rotate: (options?: CallOptions) => account.call('rotateSigningSecret', options),
    },

    /** Mails that were sent or stored. */
    mails: {
      list: (options?: ListOptions<ListMailsQuery>) => listRows(account, 'listMails', options),
      get: (mailId: string, options?: CallOptions) =>
        account.call('getMail', { ...options, path: { mail_id: mailId } }),
    },

    /** Exports of contacts to files. */
    exports: createExports(account),

    /** Exports at regular times. */
    exportSchedules: createExportSchedules(account),

    /** What runs now: imports, exports, bulk changes, erasures and attribute indexes. */
    running: createRunningWork(account),

    /** States of console pages, with a name. */
    views: createSavedViews(account),

    /** Imports of files. */
    imports: createImports(account),

    /** Bulk changes: one action on many contacts. */
    bulkChanges: {
      list: (options?: ListOptions<ListBulkChangesQuery>) => listRows(account, 'listBulkChanges', options),
      get: (bulkChangeId: string, options?: CallOptions) =>
        account.call('getBulkChange', { ...options, path: { bulk_change_id: bulkChangeId } }),
      /**
       * Creates a bulk change. `expected_count` is the number of contacts that a person has confirmed.
       */
      create: (change: CreateBulkChangeBody, options?: CallOptions) =>
        account.call('createBulkChange', { ...options, body: change }),
      /** Cancels a bulk change. Contacts that were changed stay changed. */
      cancel: (bulkChangeId: string, options?: CallOptions) =>
        account.call('cancelBulkChange', { ...options, path: { bulk_change_id: bulkChangeId } }),
      /** Waits until a bulk change is `completed`, `failed` or `cancelled`, and returns it. */
      wait(bulkChangeId: string, options: WaitOptions<BulkChange> = {}): Promise<BulkChange> {
        return waitUntil(
          () => this.get(bulkChangeId, { signal: options.signal }),
          ({ status }) => status !== 'accepted' && status !== 'running',
          options,
        );
      },
      /** Lists the contacts that failed, or of which a part was left out. */
      failures: (bulkChangeId: string, options?: ListOptions) =>
        listRows(account, 'listBulkChangeFailures', options, { bulk_change_id: bulkChangeId }),
    },

    /** The event feed: what changed, in order. */
    events: createEvents(account),

    /** Receivers of the events. */
    eventSubscriptions: createEventSubscriptions(account),

    /** The audit log: who changed what. */
    auditLog: {
      list: (options?: ListOptions<ListAuditLogQuery>) => listRows(account, 'listAuditLog', options),
    },

    /** Sign-ups, which a person confirms by a link in a mail. */
    signUps: {
      /** Lists those whose link was not used and has not expired. */
      list: (options?: ListOptions) => listRows(account, 'listSignUps', options),
      create: (signUp: CreateSignUpBody, options?: CallOptions) =>
        account.call('createSignUp', { ...options, body: signUp }),
    },

    /** Operations on contacts that only operators can do. */
    contacts: createOperatorContacts(account),

    /** Erasures of people. */
    erasures: {
      list: (options?: ListOptions) => listRows(account, 'listErasures', options),
      get: (requestId: string, options?: CallOptions) =>
        account.call('getErasure', { ...options, path: { request_id: requestId } }),
      /** Waits until an erasure is done, and returns it. */
      wait(requestId: string, options: WaitOptions<Erasure> = {}): Promise<Erasure> {
        return waitUntil(
          () => this.get(requestId, { signal: options.signal }),
          ({ status }) => status === 'done',
          options,
        );
      },
    },

    /** Forgotten people: they were erased, and must not be stored again. */
    forgotten: createForgotten(account),

    /** Activities: what was sent to people, and what they did. */
    activities: {
      record: (activities: Items<NewActivity>, options: Omit<BatchOptions, 'idempotencyKey'> = {}): Promise<Accepted> =>
        recordActivities(account, activities, options),
      /** Returns the attributes that are computed from activities, and their state. */
      derived: (options?: Pick<CallOptions, 'signal'>) => account.call('getDerivedAttributes', options),
      /** Computes these attributes again, in the background. */
      rebuildDerived: (options?: Pick<CallOptions, 'signal'>) => account.call('rebuildDerivedAttributes', options),
    },

    /** Numbers about contacts, activities and the pipeline. */
    statistics: createStatistics(account),
  };
}
