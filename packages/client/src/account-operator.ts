import { recordActivities, type NewActivity } from './activities.ts';
import type { Accepted, BatchOptions, Items } from './batches.ts';
import type { CallOptions, Connection } from './transport/connection.ts';
import { openExportFile, type ExportFile } from './export-file.ts';
import { sendImportFile, type FileSource, type SendFileOptions } from './import-file.ts';
import { Listing, type Page } from './wire/listing.ts';
import { RosterError } from './transport/roster-error.ts';
import { waitUntil, type WaitOptions } from './transport/waiting.ts';
import type {
  AccountDetail,
  ApiKey,
  AuditLogEntry,
  ContactTypeAnswer,
  CreateApiKeyBody,
  CreateImportBody,
  CreateListBody,
  CreateSegmentBody,
  CreateSignUpBody,
  CreatedApiKey,
  Delivery,
  DeliveryDetail,
  Erasure,
  Export,
  Import,
  List,
  ListDeliveriesQuery,
  ListImportsQuery,
  ListExportsQuery,
  ListMailsQuery,
  ListRequestsQuery,
  MailDetail,
  MailSummary,
  OperatorAttribute,
  PageQuery,
  PersonExport,
  RememberBody,
  RequestDetail,
  RequestFailure,
  RequestSummary,
  Segment,
  SegmentDetail,
  SignUp,
  SigningSecret,
  UpdateAccountBody,
  UpdateListBody,
  UpdateSegmentBody,
} from './wire/shapes.ts';

/** How a listing is fetched: `limit` rows a page, and what else its query can say. */
export type ListOptions<Query = PageQuery> = CallOptions & Omit<Query, 'cursor'>;

/** A listing of the operator API. */
export type OperatorListing<Row> = Listing<Row, Page<Row>>;

/** The operations that an operator has on one account. */
export type AccountOperator = ReturnType<typeof createAccountOperator>;

/** Names of the listings of one account. */
type ListingId =
  | 'listApiKeys'
  | 'listLists'
  | 'listSegments'
  | 'listAttributes'
  | 'listRequests'
  | 'listDeliveries'
  | 'listMails'
  | 'listErasures'
  | 'listExports'
  | 'listImports'
  | 'listAuditLog';

/** Makes the operations on one account. */
export function createAccountOperator(connection: Connection, accountId: number) {
  const account = { account_id: accountId };

  function listing<Row>(id: ListingId, options: ListOptions): OperatorListing<Row> {
    const { signal, idempotencyKey: _, ...query } = options;
    return new Listing<Row, Page<Row>>(async (cursor) => {
      const page = await connection.call(id, { path: account, query: { ...query, ...(cursor && { cursor }) }, signal });
      return page as Page<unknown> as Page<Row>;
    });
  }

  return {
    /** The number of the account. */
    accountId,

    /** The account. */
    get: (options: CallOptions = {}): Promise<AccountDetail> =>
      connection.call('getAccount', { ...options, path: account }),

    /** Changes the account; what is left out stays. */
    update: (change: UpdateAccountBody, options: CallOptions = {}): Promise<AccountDetail> =>
      connection.call('updateAccount', { ...options, path: account, body: change }),

    /** API keys. */
    apiKeys: {
      list: (options: ListOptions = {}): OperatorListing<ApiKey> => listing('listApiKeys', options),
      /** Makes a key; the answer alone has it. */
      create: (key: CreateApiKeyBody, options: CallOptions = {}): Promise<CreatedApiKey> =>
        connection.call('createApiKey', { ...options, path: account, body: key }),
      /** Makes a key stop working, for good. */
      revoke: (apiKeyId: number, options: CallOptions = {}): Promise<void> =>
        connection.call('revokeApiKey', { ...options, path: { ...account, api_key_id: apiKeyId } }),
    },

    /** Lists: audiences with members. */
    lists: {
      list: (options: ListOptions = {}): OperatorListing<List> => listing('listLists', options),
      get: (audienceId: number, options: CallOptions = {}): Promise<List> =>
        connection.call('getList', { ...options, path: { ...account, audience_id: audienceId } }),
      create: (list: CreateListBody, options: CallOptions = {}): Promise<List> =>
        connection.call('createList', { ...options, path: account, body: list }),
      update: (audienceId: number, change: UpdateListBody, options: CallOptions = {}): Promise<List> =>
        connection.call('updateList', { ...options, path: { ...account, audience_id: audienceId }, body: change }),
      /** Deletes the list; its members stay contacts. */
      delete: (audienceId: number, options: CallOptions = {}): Promise<void> =>
        connection.call('deleteList', { ...options, path: { ...account, audience_id: audienceId } }),
    },

    /** Segments: audiences by a filter. */
    segments: {
      list: (options: ListOptions = {}): OperatorListing<Segment> => listing('listSegments', options),
      get: (audienceId: number, options: CallOptions = {}): Promise<SegmentDetail> =>
        connection.call('getSegment', { ...options, path: { ...account, audience_id: audienceId } }),
      create: (segment: CreateSegmentBody, options: CallOptions = {}): Promise<Segment> =>
        connection.call('createSegment', { ...options, path: account, body: segment }),
      update: (audienceId: number, change: UpdateSegmentBody, options: CallOptions = {}): Promise<Segment> =>
        connection.call('updateSegment', { ...options, path: { ...account, audience_id: audienceId }, body: change }),
      delete: (audienceId: number, options: CallOptions = {}): Promise<void> =>
        connection.call('deleteSegment', { ...options, path: { ...account, audience_id: audienceId } }),
      /** Number of contacts that it has at this moment. */
      count: async (audienceId: number, options: CallOptions = {}): Promise<number> =>
        (await connection.call('countSegment', { ...options, path: { ...account, audience_id: audienceId } })).count,
    },

    /** Attributes with their indexes. */
    attributes: {
      list: (options: ListOptions = {}): OperatorListing<OperatorAttribute> => listing('listAttributes', options),
      get: (attributeId: number, options: CallOptions = {}): Promise<OperatorAttribute> =>
        connection.call('getAttribute', { ...options, path: { ...account, attribute_id: attributeId } }),
      /** Says whether the values shall have an index; it is built in the background. */
      index: (attributeId: number, indexed: boolean, options: CallOptions = {}): Promise<OperatorAttribute> =>
        connection.call('indexAttribute', {
          ...options,
          path: { ...account, attribute_id: attributeId },
          body: { indexed },
        }),
    },

    /** What became of requests. */
    requests: {
      list: (options: ListOptions<ListRequestsQuery> = {}): OperatorListing<RequestSummary> =>
        listing('listRequests', options),
      /** One request with its first 1000 failures. */
      get: (requestId: string, options: CallOptions = {}): Promise<RequestDetail> =>
        connection.call('getRequest', { ...options, path: { ...account, request_id: requestId } }),
      /** Every failure of a request. */
      failures: (requestId: string, options: CallOptions = {}): OperatorListing<RequestFailure> =>
        new Listing(async (cursor) => {
          const query = cursor === undefined ? undefined : { failures_cursor: cursor };
          const path = { ...account, request_id: requestId };
          const { failures, failures_next_cursor } = await connection.call('getRequest', { ...options, path, query });
          return { data: failures, next_cursor: failures_next_cursor };
        }),
      /** Waits until a request is applied, and returns it with its counts and first failures. */
      wait(requestId: string, options: WaitOptions<RequestDetail> = {}): Promise<RequestDetail> {
        return waitUntil(
          () => this.get(requestId, { signal: options.signal }),
          ({ status }) => status !== 'accepted',
          options,
        );
      },
    },

    /** Callbacks and their attempts. */
    deliveries: {
      list: (options: ListOptions<ListDeliveriesQuery> = {}): OperatorListing<Delivery> =>
        listing('listDeliveries', options),
      get: (deliveryId: string, options: CallOptions = {}): Promise<DeliveryDetail> =>
        connection.call('getDelivery', { ...options, path: { ...account, delivery_id: deliveryId } }),
      /** Sends one again that was delivered or given up. */
      replay: (deliveryId: string, options: CallOptions = {}): Promise<Delivery> =>
        connection.call('replayDelivery', { ...options, path: { ...account, delivery_id: deliveryId } }),
    },

    /** What callbacks are signed with. */
    signingSecret: {
      get: (options: CallOptions = {}): Promise<SigningSecret> =>
        connection.call('getSigningSecret', { ...options, path: account }),
      /** Makes a new one; the one before signs beside it for 24 hours. */
      rotate: (options: CallOptions = {}): Promise<SigningSecret> =>
        connection.call('rotateSigningSecret', { ...options, path: account }),
    },

    /** Mails that were sent or stored. */
    mails: {
      list: (options: ListOptions<ListMailsQuery> = {}): OperatorListing<MailSummary> => listing('listMails', options),
      get: (mailId: string, options: CallOptions = {}): Promise<MailDetail> =>
        connection.call('getMail', { ...options, path: { ...account, mail_id: mailId } }),
    },

    /** Exports of audiences. */
    exports: {
      list: (options: ListOptions<ListExportsQuery> = {}): OperatorListing<Export> => listing('listExports', options),
      get: (requestId: string, options: CallOptions = {}): Promise<Export> =>
        connection.call('getExport', { ...options, path: { ...account, request_id: requestId } }),
      cancel: (requestId: string, options: CallOptions = {}): Promise<Export> =>
        connection.call('cancelExport', { ...options, path: { ...account, request_id: requestId } }),
      /** Waits until an export has ended, and returns it as it is then: `completed`, `failed` or `cancelled`. */
      wait(requestId: string, options: WaitOptions<Export> = {}): Promise<Export> {
        return waitUntil(
          () => this.get(requestId, { signal: options.signal }),
          ({ status }) => status !== 'accepted' && status !== 'running',
          options,
        );
      },
      /** Opens the file of a completed export, to be read as a stream; a broken connection is taken up again. Throws `not_finished` when there is none. */
      async open(requestId: string, options: CallOptions = {}): Promise<ExportFile> {
        const { file_url: url, status, error } = await this.get(requestId, options);
        if (url !== null) return await openExportFile(connection, url, options.signal);
        const text = `getExport: there is no file, the export is ${status}${error === null ? '' : `: ${error}`}`;
        throw new RosterError('not_finished', text, { operation: 'getExport', requestId });
      },
    },

    /** Imports of files. */
    imports: {
      list: (options: ListOptions<ListImportsQuery> = {}): OperatorListing<Import> => listing('listImports', options),
      get: (importId: string, options: CallOptions = {}): Promise<Import> =>
        connection.call('getImport', { ...options, path: { ...account, import_id: importId } }),
      /** Says what is to be done with a file; `send` sends it. */
      create: (options: CreateImportBody, more: CallOptions = {}): Promise<Import> =>
        connection.call('createImport', { ...more, path: account, body: options }),
      /** Sends the file, in parts when it is large; after a break it goes on behind the last part that arrived. */
      send: (importId: string, file: FileSource, options: SendFileOptions = {}): Promise<Import> =>
        sendImportFile(connection, { ...account, import_id: importId }, file, options),
      /** Stops it; rows that were applied stay. */
      cancel: (importId: string, options: CallOptions = {}): Promise<Import> =>
        connection.call('cancelImport', { ...options, path: { ...account, import_id: importId } }),
      /** Waits until it has ended, and returns it as it is then: `completed`, `failed` or `cancelled`. */
      wait(importId: string, options: WaitOptions<Import> = {}): Promise<Import> {
        return waitUntil(
          () => this.get(importId, { signal: options.signal }),
          ({ status }) => status === 'completed' || status === 'failed' || status === 'cancelled',
          options,
        );
      },
      /** The CSV file of the rows that failed, as a stream. */
      async failures(importId: string, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
        const path = { ...account, import_id: importId };
        const { body } = await connection.open('getImportFailures', { ...options, path });
        return body ?? new Blob([]).stream();
      },
    },

    /** Who changed what. */
    auditLog: {
      list: (options: ListOptions = {}): OperatorListing<AuditLogEntry> => listing('listAuditLog', options),
    },

    /** Sign-ups with a link to confirm. */
    signUps: {
      create: (signUp: CreateSignUpBody, options: CallOptions = {}): Promise<SignUp> =>
        connection.call('createSignUp', { ...options, path: account, body: signUp }),
    },

    /** Contacts: what only operators do with them. */
    contacts: {
      block: (contactId: number, options: CallOptions = {}): Promise<ContactTypeAnswer> =>
        connection.call('blockContact', { ...options, path: { ...account, contact_id: contactId } }),
      unblock: (contactId: number, options: CallOptions = {}): Promise<ContactTypeAnswer> =>
        connection.call('unblockContact', { ...options, path: { ...account, contact_id: contactId } }),
      /** All that is known of one person; as a whole in memory. */
      export: (contactId: number, options: CallOptions = {}): Promise<PersonExport> =>
        connection.call('exportContact', { ...options, path: { ...account, contact_id: contactId } }),
      /** Erases a person for good; the traces are erased in the background, see `erasures.wait`. */
      erase: (contactId: number, options: CallOptions = {}): Promise<Erasure> =>
        connection.call('eraseContact', {
          ...options,
          path: { ...account, contact_id: contactId },
          query: { mode: 'erase' },
        }),
    },

    /** Erasures of people. */
    erasures: {
      list: (options: ListOptions = {}): OperatorListing<Erasure> => listing('listErasures', options),
      get: (requestId: string, options: CallOptions = {}): Promise<Erasure> =>
        connection.call('getErasure', { ...options, path: { ...account, request_id: requestId } }),
      /** Waits until everything of an erasure is done. */
      wait(requestId: string, options: WaitOptions<Erasure> = {}): Promise<Erasure> {
        return waitUntil(
          () => this.get(requestId, { signal: options.signal }),
          ({ status }) => status === 'done',
          options,
        );
      },
    },

    /** People who were erased and are not to come back. */
    forgotten: {
      /** How many there are. */
      count: async (options: CallOptions = {}): Promise<number> =>
        (await connection.call('getForgotten', { ...options, path: account })).people,
      /** Lets those come back who had an identity, address or number; answers how many. */
      undo: async (names: RememberBody, options: CallOptions = {}): Promise<number> =>
        (await connection.call('undoForgotten', { ...options, path: account, body: names })).people,
    },

    /** What was sent to people and what they did. */
    activities: {
      record: (activities: Items<NewActivity>, options: Omit<BatchOptions, 'idempotencyKey'> = {}): Promise<Accepted> =>
        recordActivities(connection, accountId, activities, options),
    },
  };
}
