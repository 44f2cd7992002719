import { Attributes } from './attributes.ts';
import {
  createConnection,
  type CallArguments,
  type CallOptions,
  type ConnectionOptions,
} from './transport/connection.ts';
import { Contacts } from './contacts.ts';
import type { AnswerOf, OperationId } from './wire/operations.ts';
import { credentialOf } from './transport/request.ts';
import type { BatchAddBody, ExportAudienceBody, UserActivity, UserActivityData } from './wire/shapes.ts';

/** How a client of one account reaches the service. */
export interface ClientOptions extends ConnectionOptions {
  /** API key of the account. */
  readonly apiKey: string;
}

/** The operations that an API key opens. */
export type PublicOperationId = Extract<
  OperationId,
  | `${'create' | 'update' | 'delete' | 'search'}${'Contacts' | 'Attributes'}`
  | 'searchAudience'
  | 'getAttributeUsage'
  | 'exportAudience'
  | 'getUserActivity'
  | 'batchAddContacts'
>;

/** The interface of one account, with its API key. */
export interface Client {
  readonly contacts: Contacts;
  readonly attributes: Attributes;
  readonly audiences: {
    /** Asks for a file of a list or segment and returns the `request_id` of the export; the end is told to its callback. */
    export(request: ExportAudienceBody, options?: CallOptions): Promise<string>;
  };
  readonly batches: {
    /** Adds up to 1000 contacts to a list by the older interface and returns the identifier of the job; new programs create contacts. */
    add(batch: BatchAddBody, options?: CallOptions): Promise<string>;
  };
  readonly activity: {
    /** What one person got and did on a channel within at most seven days, newest first. */
    of(person: UserActivityData, options?: CallOptions): Promise<readonly UserActivity[]>;
  };
  /** Sends one operation by its operationId, as the OpenAPI document describes it. */
  call<Id extends PublicOperationId>(operation: Id, ...input: CallArguments<Id>): Promise<AnswerOf<Id>>;
}

/**
 * Makes a client of one account: `createClient({ url: 'https://roster.example.com', apiKey })`.
 *
 * Everything rejects with a `RosterError`, unless a signal of the caller ended it.
 */
export function createClient(options: ClientOptions): Client {
  const apiKey = credentialOf('apiKey', options.apiKey);
  const connection = createConnection(options, { 'api-key': apiKey });
  return {
    contacts: new Contacts(connection),
    attributes: new Attributes(connection),
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
    activity: {
      async of(person, more = {}) {
        // In the body, where it stands in no log; the address of the request does.
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
