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

/** A contact to create, or to merge into the contact with the same identity. */
export type NewContact = CreateContactsBody['data']['contacts'][number];

/**
 * New values of a contact. The first field that is present among `contact_id`, `identity`, `email`
 * and `mobile` finds the contact.
 */
export type ContactUpdate = UpdateContactsBody['data']['contacts'][number];

/** A contact to delete, or to remove from the lists in `audience_details`. */
export type ContactDeletion = DeleteContactsBody['data']['contacts'][number];

/** The value of an attribute in a row of a search. */
export type ContactValue = string | number | boolean | null;

/** The fields that every contact has. In a request, their names can have any letter case. */
export interface ContactFields {
  readonly contact_id: number;
  readonly contact_type: 'anonymous' | 'identified' | 'unconfirmed' | 'confirmed' | 'blacklisted';
  /** Null for anonymous contacts. */
  readonly identity: string | null;
  readonly email: string | null;
  readonly mobile: string | null;
  /** A date-time in UTC, such as `2026-01-31T09:00:00.000Z`. */
  readonly created_at: string;
  readonly updated_at: string;
  readonly email_opted_out: boolean;
  readonly sms_opted_out: boolean;
  readonly whatsapp_opted_out: boolean;
  /** The lists of the contact. */
  readonly list_id: readonly number[];
}

/** The type of a field by its name. A name that is known only at run time can be any field. */
type ValueOf<Name extends string> = string extends Name
  ? ContactValue | readonly number[]
  : Lowercase<Name> extends keyof ContactFields
    ? ContactFields[Lowercase<Name>]
    : ContactValue;

/** A row of a search. Its keys are the requested fields in the requested spelling. */
export type ContactRow<Field extends string = string> = { readonly [Name in Field]: ValueOf<Name> };

/** One page of a search. */
export interface ContactPage<Field extends string = string> {
  readonly data: readonly ContactRow<Field>[];
  /** Number of all matches, if `output.get_count` is true. */
  readonly count?: number;
  readonly next_cursor?: string | null;
}

type Output<Field extends string> = Omit<NonNullable<SearchContactsBody['output']>, 'fields'> & {
  /** Config fields and attributes. The rows have the same spelling. */
  readonly fields?: readonly Field[];
};

/** A search: its conditions and its output. */
export type ContactSearch<Field extends string = string> = Omit<SearchContactsBody, 'output' | 'get_count'> & {
  readonly output?: Output<Field>;
};

/** A search in lists or segments. */
export type AudienceSearch<Field extends string = string> = ContactSearch<Field> & {
  readonly audience_type: 'list' | 'segment';
  readonly audience_id: number | readonly number[];
};

/** Default page size. 1000 rows with long texts could exceed the size limit of a response. */
const rowsPerPage = 500;

const limits = { items: 1000, characters: charactersPerRequest };

/** The operations on contacts. */
export class Contacts {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Creates any number of contacts, 1000 per request. A contact whose identity exists is merged
   * into the existing contact.
   *
   * When the promise resolves, the requests are stored durably. They are applied soon after.
   * `contactType` is `identified` by default.
   */
  async create(
    contacts: Items<NewContact>,
    options: BatchOptions & { readonly contactType?: 'identified' | 'anonymous' } = {},
  ): Promise<Accepted> {
    return this.#write('createContacts', contacts, options.contactType ?? 'identified', options);
  }

  /** Updates any number of contacts. `contactType` is the new type of all of them. */
  async update(
    contacts: Items<ContactUpdate>,
    options: BatchOptions & { readonly contactType?: UpdateContactsBody['data']['contact_type'] } = {},
  ): Promise<Accepted> {
    return this.#write('updateContacts', contacts, options.contactType, options);
  }

  /** Deletes any number of contacts, or removes them from the lists that they name. */
  async delete(contacts: Items<ContactDeletion>, options: BatchOptions = {}): Promise<Accepted> {
    return this.#write('deleteContacts', contacts, undefined, options);
  }

  /** Returns the contacts that match, with 500 per page unless `output.pagination.limit` is set. */
  search<const Field extends string = string>(
    search: ContactSearch<Field> = {},
    options: CallOptions = {},
  ): Listing<ContactRow<Field>, ContactPage<Field>> {
    return new Listing((cursor) => this.page(search, cursor, options));
  }

  /** Returns the contacts that match and are in at least one of the lists or segments. */
  searchAudience<const Field extends string = string>(
    search: AudienceSearch<Field>,
    options: CallOptions = {},
  ): Listing<ContactRow<Field>, ContactPage<Field>> {
    return new Listing((cursor) => this.audiencePage(search, cursor, options));
  }

  /** Returns the exact number of contacts that match. */
  async count(search: Omit<ContactSearch, 'output'> = {}, options: CallOptions = {}): Promise<number> {
    const output = { get_count: true, fields: ['contact_id'], pagination: { limit: 1 } };
    const { count } = await this.#connection.call('searchContacts', { ...options, body: { ...search, output } });
    return count ?? 0;
  }

  /** Returns one page of a search: the first page, or the page at a cursor. */
  async page<const Field extends string = string>(
    search: ContactSearch<Field>,
    cursor?: string,
    options: CallOptions = {},
  ): Promise<ContactPage<Field>> {
    const body = withCursor(search, cursor);
    return pageOf(await this.#connection.call('searchContacts', { ...options, body }));
  }

  /** Returns one page of a search in lists or segments. */
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
    const { signal, wait } = options;
    const type = contactType === undefined ? '' : `"contact_type":${JSON.stringify(contactType)},`;
    return sendBatches(
      batchesOf(contacts, limits),
      (batch, idempotencyKey) => {
        const json = `{"data":{${type}"contacts":${batch.json}}}`;
        return this.#connection.call(operation, { json, signal, idempotencyKey, wait });
      },
      options,
    );
  }
}

/** Types the rows: the service returns exactly the requested fields. */
const pageOf = <Field extends string>(answer: SearchAnswer): ContactPage<Field> =>
  answer as object as ContactPage<Field>;

function withCursor<Search extends ContactSearch>(search: Search, cursor: string | undefined): Search {
  const { page, ...pagination } = { limit: rowsPerPage, ...search.output?.pagination };
  const place = cursor === undefined ? (page === undefined ? {} : { page }) : { cursor };
  return { ...search, output: { ...search.output, pagination: { ...pagination, ...place } } };
}
