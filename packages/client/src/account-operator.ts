import { recordActivities, type NewActivity } from './activities.ts';
import type { Accepted, BatchOptions, Items } from './batches.ts';
import { Attributes } from './attributes.ts';
import { Contacts } from './contacts.ts';
import { forAccount, type CallOptions, type Connection } from './transport/connection.ts';
import { createEvents } from './account/events.ts';
import { createEventSubscriptions } from './account/event-subscriptions.ts';
import { createExportSchedules } from './account/export-schedules.ts';
import { createExports } from './account/exports.ts';
import { createOperatorContacts } from './operator-contacts.ts';
import { importsOf } from './account/imports.ts';
import { createForgotten } from './forgotten.ts';
import { createRequests } from './requests.ts';
import { Listing, type Page } from './wire/listing.ts';
import type { operations } from './wire/operation-table.ts';
import type { OperationId } from './wire/operations.ts';
import { createStatistics } from './statistics.ts';
import { createRunningWork } from './account/running-work.ts';
import { createSavedViews } from './account/saved-views.ts';
import { waitUntil, type WaitOptions } from './transport/waiting.ts';
import type {
  AccountDetail,
  ApiKey,
  AttributeValues,
  AttributeValuesQuery,
  AuditLogEntry,
  BulkChange,
  BulkChangeFailure,
  CreateApiKeyBody,
  CreateBulkChangeBody,
  CreateInvitationBody,
  DerivedAttributes,
  CreateListBody,
  CreateSegmentBody,
  CreateSignUpBody,
  CreatedApiKey,
  CreatedInvitation,
  Delivery,
  DeliveryDetail,
  Erasure,
  Import,
  Invitation,
  List,
  ListGrowth,
  ListGrowthQuery,
  ListListsQuery,
  ListSegmentChangesQuery,
  ListSegmentsQuery,
  ListAuditLogQuery,
  ListBulkChangesQuery,
  ListDeliveriesQuery,
  ListImportsQuery,
  ListMailsQuery,
  ListRequestsQuery,
  MailDetail,
  MailSummary,
  Member,
  OperatorAttribute,
  PageQuery,
  RequestSummary,
  Segment,
  SegmentChange,
  SegmentDetail,
  SegmentGrowth,
  SegmentGrowthQuery,
  SignUp,
  SigningSecret,
  UpdateAccountBody,
  UpdateListBody,
  UpdateMemberBody,
  UpdateSegmentBody,
  WaitingSignUp,
} from './wire/shapes.ts';

/** Options of a listing: `limit` is the page size; some listings have filters. */
export type ListOptions<Query = PageQuery> = CallOptions & Omit<Query, 'cursor'>;

/** A listing of the operator API. */
export type OperatorListing<Row> = Listing<Row, Page<Row>>;

/** The operations of an operator on one account. */
export type AccountOperator = ReturnType<typeof createAccountOperator>;

/** The operations that list something of one account, without another path parameter. */
type ListingId = {
  [Id in OperationId]: (typeof operations)[Id] extends { path: `${string}/{account_id}/${infer Rest}`; page: string }
    ? Rest extends `${string}{${string}`
      ? never
      : Id
    : never;
}[OperationId];

/** Creates the operations on one account. */
export function createAccountOperator(connection: Connection, accountId: number) {
  const account = { account_id: accountId };
  const own = forAccount(connection, accountId);

  function listing<Row>(id: ListingId, options: ListOptions): OperatorListing<Row> {
    const { signal, idempotencyKey: _, ifMatch: _tag, ...query } = options;
    return new Listing<Row, Page<Row>>(async (cursor) => {
      const page = await connection.call(id, { path: account, query: { ...query, ...(cursor && { cursor }) }, signal });
      return page as Page<unknown> as Page<Row>;
    });
  }

  return {
    /** The number of the account. */
    accountId,

    /** The operations of API keys, with the credential of the operator or person. */
    asApiKey: { contacts: new Contacts(own), attributes: new Attributes(own) },

    /** Returns the account. */
    get: (options: CallOptions = {}): Promise<AccountDetail> =>
      connection.call('getAccount', { ...options, path: account }),

    /** Changes the account. Absent fields stay as they are. */
    update: (change: UpdateAccountBody, options: CallOptions = {}): Promise<AccountDetail> =>
      connection.call('updateAccount', { ...options, path: account, body: change }),

    /** API keys. */
    apiKeys: {
      list: (options: ListOptions = {}): OperatorListing<ApiKey> => listing('listApiKeys', options),
      /** Creates a key. Only this response contains it. */
      create: (key: CreateApiKeyBody, options: CallOptions = {}): Promise<CreatedApiKey> =>
        connection.call('createApiKey', { ...options, path: account, body: key }),
      /** Revokes a key. This cannot be undone. */
      revoke: (apiKeyId: number, options: CallOptions = {}): Promise<void> =>
        connection.call('revokeApiKey', { ...options, path: { ...account, api_key_id: apiKeyId } }),
    },

    /** The people with a role in the account. */
    members: {
      list: (options: ListOptions = {}): OperatorListing<Member> => listing('listMembers', options),
      /** Changes the role, or whether the person sees unmasked values. */
      update: (userId: number, change: UpdateMemberBody, options: CallOptions = {}): Promise<Member> =>
        connection.call('updateMember', { ...options, path: { ...account, user_id: userId }, body: change }),
      remove: (userId: number, options: CallOptions = {}): Promise<void> =>
        connection.call('removeMember', { ...options, path: { ...account, user_id: userId } }),
    },

    /** Invitations to the account that nobody has accepted yet. */
    invitations: {
      list: (options: ListOptions = {}): OperatorListing<Invitation> => listing('listInvitations', options),
      /** Invites a person. Without a mail server, the answer has the link. */
      create: (invitation: CreateInvitationBody, options: CallOptions = {}): Promise<CreatedInvitation> =>
        connection.call('createInvitation', { ...options, path: account, body: invitation }),
      delete: (invitationId: number, options: CallOptions = {}): Promise<void> =>
        connection.call('deleteInvitation', { ...options, path: { ...account, invitation_id: invitationId } }),
    },

    /** Lists: audiences with members. */
    lists: {
      list: (options: ListOptions<ListListsQuery> = {}): OperatorListing<List> => listing('listLists', options),
      get: (audienceId: number, options: CallOptions = {}): Promise<List> =>
        connection.call('getList', { ...options, path: { ...account, audience_id: audienceId } }),
      /** Returns how many contacts joined and left the list on each of the last days (default 30). */
      growth: (audienceId: number, { days, ...options }: CallOptions & ListGrowthQuery = {}): Promise<ListGrowth> =>
        connection.call('getListGrowth', {
          ...options,
          path: { ...account, audience_id: audienceId },
          query: days === undefined ? {} : { days },
        }),
      create: (list: CreateListBody, options: CallOptions = {}): Promise<List> =>
        connection.call('createList', { ...options, path: account, body: list }),
      update: (audienceId: number, change: UpdateListBody, options: CallOptions = {}): Promise<List> =>
        connection.call('updateList', { ...options, path: { ...account, audience_id: audienceId }, body: change }),
      /** Deletes the list. Its members remain contacts. */
      delete: (audienceId: number, options: CallOptions = {}): Promise<void> =>
        connection.call('deleteList', { ...options, path: { ...account, audience_id: audienceId } }),
    },

    /** Segments: audiences that are defined by a filter. */
    segments: {
      list: (options: ListOptions<ListSegmentsQuery> = {}): OperatorListing<Segment> =>
        listing('listSegments', options),
      get: (audienceId: number, options: CallOptions = {}): Promise<SegmentDetail> =>
        connection.call('getSegment', { ...options, path: { ...account, audience_id: audienceId } }),
      create: (segment: CreateSegmentBody, options: CallOptions = {}): Promise<Segment> =>
        connection.call('createSegment', { ...options, path: account, body: segment }),
      update: (audienceId: number, change: UpdateSegmentBody, options: CallOptions = {}): Promise<Segment> =>
        connection.call('updateSegment', { ...options, path: { ...account, audience_id: audienceId }, body: change }),
      delete: (audienceId: number, options: CallOptions = {}): Promise<void> =>
        connection.call('deleteSegment', { ...options, path: { ...account, audience_id: audienceId } }),
      /** Returns the number of contacts that match now. */
      count: async (audienceId: number, options: CallOptions = {}): Promise<number> =>
        (await connection.call('countSegment', { ...options, path: { ...account, audience_id: audienceId } })).count,
      /** Entries and departures of a live segment, newest first. */
      changes: (
        audienceId: number,
        { signal, limit }: ListOptions<ListSegmentChangesQuery> = {},
      ): OperatorListing<SegmentChange> =>
        new Listing<SegmentChange, Page<SegmentChange>>((cursor) =>
          connection.call('listSegmentChanges', {
            path: { ...account, audience_id: audienceId },
            query: { ...(limit !== undefined && { limit }), ...(cursor && { cursor }) },
            signal,
          }),
        ),
      /** Returns how many contacts the segment had on each counted day (default: the last 30 days). */
      growth: (
        audienceId: number,
        { from, ...options }: CallOptions & SegmentGrowthQuery = {},
      ): Promise<SegmentGrowth> =>
        connection.call('getSegmentGrowth', {
          ...options,
          path: { ...account, audience_id: audienceId },
          query: from === undefined ? {} : { from },
        }),
    },

    /** Attributes with their indexes. */
    attributes: {
      list: (options: ListOptions = {}): OperatorListing<OperatorAttribute> => listing('listAttributes', options),
      get: (attributeId: number, options: CallOptions = {}): Promise<OperatorAttribute> =>
        connection.call('getAttribute', { ...options, path: { ...account, attribute_id: attributeId } }),
      /** Returns the most frequent values of an attribute. */
      values: (
        attributeId: number,
        { contains, limit, ...options }: CallOptions & AttributeValuesQuery = {},
      ): Promise<AttributeValues> =>
        connection.call('listAttributeValues', {
          ...options,
          path: { ...account, attribute_id: attributeId },
          query: { contains, limit },
        }),
      /** Adds or removes the index of an attribute. It is built in the background. */
      index: (attributeId: number, indexed: boolean, options: CallOptions = {}): Promise<OperatorAttribute> =>
        connection.call('indexAttribute', {
          ...options,
          path: { ...account, attribute_id: attributeId },
          body: { indexed },
        }),
    },

    /** Accepted requests and their results. */
    requests: {
      list: (options: ListOptions<ListRequestsQuery> = {}): OperatorListing<RequestSummary> =>
        listing('listRequests', options),
      ...createRequests((requestId, input) =>
        connection.call('getRequest', { ...input, path: { ...account, request_id: requestId } }),
      ),
    },

    /** Callbacks and their attempts. */
    deliveries: {
      list: (options: ListOptions<ListDeliveriesQuery> = {}): OperatorListing<Delivery> =>
        listing('listDeliveries', options),
      get: (deliveryId: string, options: CallOptions = {}): Promise<DeliveryDetail> =>
        connection.call('getDelivery', { ...options, path: { ...account, delivery_id: deliveryId } }),
      /** Sends a delivered or failed callback again. */
      replay: (deliveryId: string, options: CallOptions = {}): Promise<Delivery> =>
        connection.call('replayDelivery', { ...options, path: { ...account, delivery_id: deliveryId } }),
    },

    /** The secret that signs callbacks. */
    signingSecret: {
      get: (options: CallOptions = {}): Promise<SigningSecret> =>
        connection.call('getSigningSecret', { ...options, path: account }),
      /** Creates a new secret. For 24 hours, callbacks are signed with both secrets. */
      rotate: (options: CallOptions = {}): Promise<SigningSecret> =>
        connection.call('rotateSigningSecret', { ...options, path: account }),
    },

    /** Mails that were sent or stored. */
    mails: {
      list: (options: ListOptions<ListMailsQuery> = {}): OperatorListing<MailSummary> => listing('listMails', options),
      get: (mailId: string, options: CallOptions = {}): Promise<MailDetail> =>
        connection.call('getMail', { ...options, path: { ...account, mail_id: mailId } }),
    },

    /** Exports of contacts to files. */
    exports: createExports(connection, account),

    /** Exports at regular times. */
    exportSchedules: createExportSchedules(connection, account),

    /** What runs now: imports, exports, bulk changes, erasures and attribute indexes. */
    running: createRunningWork(connection, account),

    /** States of console pages, with a name. */
    views: createSavedViews(connection, account),

    /** Imports of files. */
    imports: {
      list: (options: ListOptions<ListImportsQuery> = {}): OperatorListing<Import> => listing('listImports', options),
      ...importsOf(connection, accountId),
    },

    /** Bulk changes: one action on many contacts. */
    bulkChanges: {
      list: (options: ListOptions<ListBulkChangesQuery> = {}): OperatorListing<BulkChange> =>
        listing('listBulkChanges', options),
      get: (bulkChangeId: string, options: CallOptions = {}): Promise<BulkChange> =>
        connection.call('getBulkChange', { ...options, path: { ...account, bulk_change_id: bulkChangeId } }),
      /**
       * Creates a bulk change. `expected_count` is the number of contacts that a person has confirmed.
       */
      create: (change: CreateBulkChangeBody, options: CallOptions = {}): Promise<BulkChange> =>
        connection.call('createBulkChange', { ...options, path: account, body: change }),
      /** Cancels a bulk change. Contacts that were changed stay changed. */
      cancel: (bulkChangeId: string, options: CallOptions = {}): Promise<BulkChange> =>
        connection.call('cancelBulkChange', { ...options, path: { ...account, bulk_change_id: bulkChangeId } }),
      /** Waits until a bulk change is `completed`, `failed` or `cancelled`, and returns it. */
      wait(bulkChangeId: string, options: WaitOptions<BulkChange> = {}): Promise<BulkChange> {
        return waitUntil(
          () => this.get(bulkChangeId, { signal: options.signal }),
          ({ status }) => status !== 'accepted' && status !== 'running',
          options,
        );
      },
      /** Lists the contacts that failed, or of which a part was left out. */
      failures: (bulkChangeId: string, options: ListOptions = {}): OperatorListing<BulkChangeFailure> => {
        const { signal, idempotencyKey: _, ...query } = options;
        const path = { ...account, bulk_change_id: bulkChangeId };
        return new Listing(async (cursor) =>
          connection.call('listBulkChangeFailures', { path, query: { ...query, ...(cursor && { cursor }) }, signal }),
        );
      },
    },

    /** The event feed: what changed, in order. */
    events: createEvents(connection, account),

    /** Receivers of the events. */
    eventSubscriptions: createEventSubscriptions(connection, account),

    /** The audit log: who changed what. */
    auditLog: {
      list: (options: ListOptions<ListAuditLogQuery> = {}): OperatorListing<AuditLogEntry> =>
        listing('listAuditLog', options),
    },

    /** Sign-ups, which a person confirms by a link in a mail. */
    signUps: {
      /** Lists those whose link was not used and has not expired. */
      list: (options: ListOptions = {}): OperatorListing<WaitingSignUp> => listing('listSignUps', options),
      create: (signUp: CreateSignUpBody, options: CallOptions = {}): Promise<SignUp> =>
        connection.call('createSignUp', { ...options, path: account, body: signUp }),
    },

    /** Operations on contacts that only operators can do. */
    contacts: createOperatorContacts(connection, accountId),

    /** Erasures of people. */
    erasures: {
      list: (options: ListOptions = {}): OperatorListing<Erasure> => listing('listErasures', options),
      get: (requestId: string, options: CallOptions = {}): Promise<Erasure> =>
        connection.call('getErasure', { ...options, path: { ...account, request_id: requestId } }),
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
    forgotten: createForgotten(connection, accountId),

    /** Activities: what was sent to people, and what they did. */
    activities: {
      record: (activities: Items<NewActivity>, options: Omit<BatchOptions, 'idempotencyKey'> = {}): Promise<Accepted> =>
        recordActivities(connection, accountId, activities, options),
      /** Returns the attributes that are computed from activities, and their state. */
      derived: ({ signal }: Pick<CallOptions, 'signal'> = {}): Promise<DerivedAttributes> =>
        connection.call('getDerivedAttributes', { signal, path: account }),
      /** Computes these attributes again, in the background. */
      rebuildDerived: ({ signal }: Pick<CallOptions, 'signal'> = {}): Promise<DerivedAttributes> =>
        connection.call('rebuildDerivedAttributes', { signal, path: account }),
    },

    /** Numbers about contacts, activities and the pipeline. */
    statistics: createStatistics(connection, accountId),
  };
}
