import { Attributes } from './attributes.ts';
import {
  createConnection,
  type CallArguments,
  type CallOptions,
  type ConnectionOptions,
} from './transport/connection.ts';
import { Contacts } from './contacts.ts';
import type { AnswerOf, OperationId } from './wire/operations.ts';
import { createRequests, type Requests } from './requests.ts';
import { credentialOf } from './transport/request.ts';
import type {
  BatchAddBody,
  ExportAudienceBody,
  ListAudiencesAnswer,
  ListAudiencesBody,
  UserActivity,
  UserActivityData,
} from './wire/shapes.ts';

/** Options of {@link createClient}. */
export interface ClientOptions extends ConnectionOptions {
  /** API key of the account. */
  readonly apiKey: string;
}

/** The operations that need an API key. */
export type PublicOperationId = Extract<
  OperationId,
  | `${'create' | 'update' | 'delete' | 'search'}${'Contacts' | 'Attributes'}`
  | 'searchAudience'
  | 'getAttributeUsage'
  | 'exportAudience'
  | 'getUserActivity'
  | 'batchAddContacts'
  | 'blacklistContacts'
  | 'listAudiences'
  | 'getAcceptedRequest'
>;

/** Options of the older blacklist call. */
export interface BlacklistOptions extends CallOptions {
  readonly primaryKey: string;
  readonly channel?: 'email' | 'sms' | 'whatsapp' | undefined;
}

/** The operations of one account, with its API key. */
export interface Client {
  readonly contacts: Contacts;
  readonly attributes: Attributes;
  /** What became of accepted requests. Needs the scope `requests:read`. */
  readonly requests: Requests;
  readonly audiences: {
    /**
     * Requests an export of a list or segment, and returns its `request_id`. When the export ends,
     * the service sends its callback.
     */
    export(request: ExportAudienceBody, options?: CallOptions): Promise<string>;
  };
  readonly batches: {
    /**
     * Adds up to 1000 contacts to a list with the older interface (v3), and returns the id of the
     * job. New programs should use `contacts.create`.
     */
    add(batch: BatchAddBody, options?: CallOptions): Promise<string>;
  };
  /** Calls of older clients. New programs should use what each of them names. */
  readonly older: {
    /**
     * Opts up to 1000 contacts out of a channel (v3), and returns the id of the request.
     * `primaryKey` is the name of the primary key of the account, and `channel` is `email` by
     * default. New programs should use `contacts.create` with `subscriptions`.
     */
    blacklist(values: readonly (string | number)[], options: BlacklistOptions): Promise<string>;
    /**
     * Returns a page of lists or segments with the numbers of their contacts (v4). New programs
     * should use `lists.list` and `segments.list` of the operator client.
     */
    audiences(body: ListAudiencesBody, options?: CallOptions): Promise<ListAudiencesAnswer['data']>;
  };
  readonly activity: {
    /**
     * Returns the activities of one person on a channel within at most seven days, newest first.
     */
    of(person: UserActivityData, options?: CallOptions): Promise<readonly UserActivity[]>;
  };
  /** Sends an operation by its operationId in the OpenAPI document. */
  call<Id extends PublicOperationId>(operation: Id, ...input: CallArguments<Id>): Promise<AnswerOf<Id>>;
}

/**
 * Creates a client for one account: `createClient({ url: 'https://roster.example.com', apiKey })`.
 *
 * All methods reject with a `RosterError`, or with the reason of your signal after you abort it.
 */
export function createClient(options: ClientOptions): Client {
  const apiKey = credentialOf('apiKey', options.apiKey);
  const connection = createConnection(options, { 'api-key': apiKey });
  return {
    contacts: new Contacts(connection),
    attributes: new Attributes(connection),
    requests: createRequests(async (requestId, input) => {
      const path = { request_id: requestId };
      return (await connection.call('getAcceptedRequest', { ...input, path })).data[0]!;
    }),
    audiences: {
      async export(request, more = {}) {
        return (await connection.call('exportAudience', { ...more, body: request })).data.request_id;
      },
    },
    batches: {
      async add(batch, more = {}) {
        return (await connection.call('batchAddContacts', { ...more, body: batch })).message;
      },
    },
    older: {
      async blacklist(data, { primaryKey, channel = 'email', ...more }) {
        const headers = { primarykey: primaryKey, channel };
        return (await connection.call('blacklistContacts', { ...more, headers, body: { data } })).message;
      },
      async audiences(body, more = {}) {
        return (await connection.call('listAudiences', { ...more, body })).data;
      },
    },
    activity: {
      async of(person, more = {}) {
        // The key is sent in the body, because URLs appear in logs.
        const body = {
          type: 'export_data',
          activity: 'get_user_channel_activity_data',
          apikey: apiKey,
          data: person,
        } as const;
        return (await connection.call('getUserActivity', { ...more, body })).result.channel_activity;
      },
    },
    call: (operation, ...[input]) => connection.call(operation, input),
  };
}
