import type { CallOptions, Connection } from './transport/connection.ts';
import type {
  AcceptedAnswer,
  AttributeRecord,
  AttributeUsage,
  CreateAttributesBody,
  SearchAttributesBody,
  UpdateAttributesBody,
} from './wire/shapes.ts';

/** An attribute to create, with at least its name and data type. */
export type NewAttribute = CreateAttributesBody['data'][number];

/** Changes of one attribute. `name` or `id` selects it. */
export type AttributeChange = UpdateAttributesBody['data'][number];

/** The name or the number of an attribute. */
export type AttributeReference = string | number;

/** Options of a change that the service applies after its answer. */
export interface AcceptOptions extends CallOptions {
  /**
   * Seconds for which the service may wait with its answer until the change is applied, up to 30.
   * Then the answer has an `outcome`. Default: it does not wait.
   */
  readonly wait?: number | undefined;
}

/** One page of this size has all attributes: an account can have 500. */
const maxAttributes = 1000;

/** The operations on attributes, with up to 100 attributes per call. */
export class Attributes {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Creates attributes. Contacts that you send afterwards can use them immediately. */
  async create(attributes: readonly NewAttribute[], options: AcceptOptions = {}): Promise<AcceptedAnswer> {
    return this.#connection.call('createAttributes', { ...options, body: { data: attributes } });
  }

  /**
   * Returns the attributes that match, including system attributes. Without a filter, returns all.
   */
  async search(search: SearchAttributesBody = {}, options: CallOptions = {}): Promise<readonly AttributeRecord[]> {
    const output = { ...search.output, pagination: search.output?.pagination ?? { limit: maxAttributes } };
    const { data } = await this.#connection.call('searchAttributes', { ...options, body: { ...search, output } });
    return data;
  }

  /** Changes all of the attributes or none, and returns the changed attributes. */
  async update(changes: readonly AttributeChange[], options: CallOptions = {}): Promise<readonly AttributeRecord[]> {
    return (await this.#connection.call('updateAttributes', { ...options, body: { data: changes } })).data;
  }

  /** Deletes attributes that are not in use, with their values in contacts. */
  async delete(attributes: readonly AttributeReference[], options: AcceptOptions = {}): Promise<AcceptedAnswer> {
    return this.#connection.call('deleteAttributes', { ...options, body: { data: attributes.map(referenceOf) } });
  }

  /** Returns where attributes are used, in the order of the argument. */
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
