import {
  batchesOf,
  charactersPerRequest,
  sendBatches,
  type Accepted,
  type BatchOptions,
  type Items,
} from './batches.ts';
import type { CallOptions, Connection } from './transport/connection.ts';
import { Listing } from './wire/listing.ts';
import type {
  CreateContactsBody,
  DeleteContactsBody,
  SearchAnswer,
  SearchContactsBody,
  UpdateContactsBody,
} from './wire/shapes.ts';

/** A contact to create, or to merge into the one that has its identity. */
export type NewContact = CreateContactsBody['data']['contacts'][number];

/** New values of a contact; the first of `contact_id`, `identity`, `email`, `mobile` that is present finds it. */
export type ContactUpdate = UpdateContactsBody['data']['contacts'][number];

/** A contact to delete, or to take from lists where `audience_details` names some. */
export type ContactDeletion = DeleteContactsBody['data']['contacts'][number];

/** A value in a row of a search. */
export type ContactValue = string | number | boolean | null;

/** A row of a search: the requested fields, as they were spelled. */
export type ContactRow<Field extends string = string> = { readonly [Name in Field]: ContactValue };

/** One page of a search. */
export interface ContactPage<Field extends string = string> {
  readonly data: readonly ContactRow<Field>[];
  /** Number of all matches, when `output.get_count` asked for it. */
  readonly count?: number;
  readonly next_cursor?: string | null;
}

type Output<Field extends string> = Omit<NonNullable<SearchContactsBody['output']>, 'fields'> & {
  /** Config fields and attributes; the rows have them as they are spelled here. */
  readonly fields?: readonly Field[];
};

/** What to search for, and which fields of it to give. */
export type ContactSearch<Field extends string = string> = Omit<SearchContactsBody, 'output' | 'get_count'> & {
  readonly output?: Output<Field>;
};

/** The same within lists or segments. */
export type AudienceSearch<Field extends string = string> = ContactSearch<Field> & {
  readonly audience_type: 'list' | 'segment';
  readonly audience_id: number | readonly number[];
};

/** Rows of a page where the caller does not say: long texts in 1000 rows could be more than an answer may have. */
const rowsPerPage = 500;

const limits = { items: 1000, characters: charactersPerRequest };

/** The operations on contacts. */
export class Contacts {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Creates any number of contacts, or merges them into those that have their identities: 1000 a request, one request after the other.
   *
   * They are stored durably when it resolves, and applied soon after. `contactType` is `identified` unless it is given.
   */
  async create(
    contacts: Items<NewContact>,
    options: BatchOptions & { readonly contactType?: 'identified' | 'anonymous' } = {},
  ): Promise<Accepted> {
    return this.#write('createContacts', contacts, options.contactType ?? 'identified', options);
  }

  /** Updates any number of contacts; `contactType` is what each of them must be afterwards. */
  async update(
    contacts: Items<ContactUpdate>,
    options: BatchOptions & { readonly contactType?: UpdateContactsBody['data']['contact_type'] } = {},
  ): Promise<Accepted> {
    return this.#write('updateContacts', contacts, options.contactType, options);
  }

  /** Deletes any number of contacts, or takes them from the lists that they name. */
  async delete(contacts: Items<ContactDeletion>, options: BatchOptions = {}): Promise<Accepted> {
    return this.#write('deleteContacts', contacts, undefined, options);
  }

  /** Contacts that match, page by page as they are asked for; 500 a page unless `output.pagination.limit` says otherwise. */
  search<const Field extends string = string>(
    search: ContactSearch<Field> = {},
    options: CallOptions = {},
  ): Listing<ContactRow<Field>, ContactPage<Field>> {
    return new Listing((cursor) => this.page(search, cursor, options));
  }

  /** The same within lists or segments: a contact in any of them matches. */
  searchAudience<const Field extends string = string>(
    search: AudienceSearch<Field>,
    options: CallOptions = {},
  ): Listing<ContactRow<Field>, ContactPage<Field>> {
    return new Listing((cursor) => this.audiencePage(search, cursor, options));
  }

  /** Number of contacts that match, exactly. */
  async count(search: Omit<ContactSearch, 'output'> = {}, options: CallOptions = {}): Promise<number> {
    const output = { get_count: true, fields: ['contact_id'], pagination: { limit: 1 } };
    const { count } = await this.#connection.call('searchContacts', { ...options, body: { ...search, output } });
    return count ?? 0;
  }

  /** One page of a search: the first one, or the one behind a cursor. */
  async page<const Field extends string = string>(
    search: ContactSearch<Field>,
    cursor?: string,
    options: CallOptions = {},
  ): Promise<ContactPage<Field>> {
    const body = withCursor(search, cursor);
    return pageOf(await this.#connection.call('searchContacts', { ...options, body }));
  }

  /** One page of a search within lists or segments. */
  async audiencePage<const Field extends string = string>(
    search: AudienceSearch<Field>,
    cursor?: string,
    options: CallOptions = {},
  ): Promise<ContactPage<Field>> {
    const body = { ...withCursor(search, cursor), audience_id: [search.audience_id].flat() };
    return pageOf(await this.#connection.call('searchAudience', { ...options, body }));
  }

  async #write(
    operation: 'createContacts' | 'updateContacts' | 'deleteContacts',
    contacts: Items<unknown>,
    contactType: string | undefined,
    options: BatchOptions,
  ): Promise<Accepted> {
    const { signal } = options;
    const type = contactType === undefined ? '' : `"contact_type":${JSON.stringify(contactType)},`;
    return sendBatches(
      batchesOf(contacts, limits),
      async (batch, idempotencyKey) => {
        const json = `{"data":{${type}"contacts":${batch.json}}}`;
        return (await this.#connection.call(operation, { json, signal, idempotencyKey })).request_id;
      },
      options,
    );
  }
}

/** The service answers exactly the fields that were asked for. */
const pageOf = <Field extends string>(answer: SearchAnswer): ContactPage<Field> =>
  answer as object as ContactPage<Field>;

function withCursor<Search extends ContactSearch>(search: Search, cursor: string | undefined): Search {
  const { page, ...pagination } = { limit: rowsPerPage, ...search.output?.pagination };
  const place = cursor === undefined ? (page === undefined ? {} : { page }) : { cursor };
  return { ...search, output: { ...search.output, pagination: { ...pagination, ...place } } };
}
