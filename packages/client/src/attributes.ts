import type { CallOptions, Connection } from './transport/connection.ts';
import type {
  AcceptedAnswer,
  AttributeRecord,
  AttributeUsage,
  CreateAttributesBody,
  SearchAttributesBody,
  UpdateAttributesBody,
} from './wire/shapes.ts';

/** An attribute to create: its name and data type at least. */
export type NewAttribute = CreateAttributesBody['data'][number];

/** Changes of one attribute, which `name` or `id` names. */
export type AttributeChange = UpdateAttributesBody['data'][number];

/** An attribute as a request names it: by its name or its number. */
export type AttributeReference = string | number;

/** Rows of the only page: more than the 500 attributes that an account can have. */
const allOfThem = 1000;

/** The operations on attributes, up to 100 attributes a call. */
export class Attributes {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Creates attributes; contacts that are sent afterwards can use them at once. */
  async create(attributes: readonly NewAttribute[], options: CallOptions = {}): Promise<AcceptedAnswer> {
    return this.#connection.call('createAttributes', { ...options, body: { data: attributes } });
  }

  /** The attributes that match, the system attributes among them; all without a filter. */
  async search(search: SearchAttributesBody = {}, options: CallOptions = {}): Promise<readonly AttributeRecord[]> {
    const output = { ...search.output, pagination: search.output?.pagination ?? { limit: allOfThem } };
    const { data } = await this.#connection.call('searchAttributes', { ...options, body: { ...search, output } });
    return data;
  }

  /** Changes attributes, all or none, and returns them as they are now. */
  async update(changes: readonly AttributeChange[], options: CallOptions = {}): Promise<readonly AttributeRecord[]> {
    return (await this.#connection.call('updateAttributes', { ...options, body: { data: changes } })).data;
  }

  /** Deletes attributes that nothing uses, with the values that contacts have. */
  async delete(attributes: readonly AttributeReference[], options: CallOptions = {}): Promise<AcceptedAnswer> {
    return this.#connection.call('deleteAttributes', { ...options, body: { data: attributes.map(referenceOf) } });
  }

  /** Where attributes are used, in the order in which they are named. */
  async usage(
    attributes: readonly AttributeReference[],
    options: CallOptions = {},
  ): Promise<readonly AttributeUsage[]> {
    const body = { data: attributes.map(referenceOf) };
    return (await this.#connection.call('getAttributeUsage', { ...options, body })).data;
  }
}

const referenceOf = (attribute: AttributeReference): { name: string } | { id: number } =>
  typeof attribute === 'string' ? { name: attribute } : { id: attribute };
