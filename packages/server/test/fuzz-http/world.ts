import { operationsOf, type OpenApiDocument } from '#platform/http/openapi/document.ts';
import type { Random } from '../crash/random.ts';
import { accountKinds } from '../fuzz/account-kinds.ts';
import type { Api } from './api.ts';

/** An account whose credential and data hostile requests use. */
export interface WorldAccount {
  readonly accountId: number;
  readonly primaryKey: string;
  /** Replaced when a hostile request has revoked it. */
  apiKey: string;
  apiKeyId: number;
}

const attributes = { AGE: 'number', VIP: 'boolean', SINCE: 'datetime', BIO: 'long_text', NOTE: 'text' };

/** Requests may name this many of the newest items of each kind. */
const namedIds = 40;

/** The attacked accounts with the identifiers of their data. It also keeps the accounts usable. */
export class World {
  readonly accounts: readonly WorldAccount[];
  readonly adminToken: string;
  /** The address that callbacks are sent to. */
  readonly receiverUrl: string;
  readonly #api: Api;
  /** Identifiers that the service generated, by collection and account. */
  readonly #ids = new Map<string, readonly (string | number)[]>();
  readonly #collections: readonly {
    readonly path: string;
    readonly parameter: string;
    readonly users: readonly string[];
  }[];

  private constructor(api: Api, document: OpenApiDocument, accounts: readonly WorldAccount[], receiverUrl: string) {
    this.#api = api;
    this.accounts = accounts;
    this.adminToken = api.adminToken;
    this.receiverUrl = receiverUrl;
    this.#collections = collectionsOf(document);
  }

  /**
   * Creates an account of each kind, with lists 1 to 3, segment 4, an attribute of each type and 40
   * contacts.
   */
  static async prepare(api: Api, document: OpenApiDocument, receiverUrl: string): Promise<World> {
    const accounts: WorldAccount[] = [];
    for (const { primary_key: primaryKey } of accountKinds) {
      const { account_id: accountId } = await api.operator('POST', '/accounts', {
        name: primaryKey,
        primary_key: primaryKey,
      });
      const { api_key: apiKey, api_key_id: apiKeyId } = await api.newKey(accountId);
      const account: WorldAccount = { accountId, primaryKey, apiKey, apiKeyId };
      for (let last = 0; last < 3;)
        last = (await api.operator('POST', `/accounts/${accountId}/lists`, { name: 'List' })).audience_id;
      const pune = [{ condition_details: [{ field: 'CITY', operation: 'equals', value: ['Pune'] }] }];
      await api.operator('POST', `/accounts/${accountId}/segments`, { name: 'Pune', filtering_criteria: pune });
      const data = Object.entries(attributes).map(([name, data_type]) => ({ name, data_type, category: 'custom' }));
      await api.v5(account.apiKey, '/client/attribute/create', { data });
      const contacts = Array.from({ length: 40 }, (_, number) => ({
        identity: identityOf(primaryKey, number),
        attributes: { CITY: 'Pune', AGE: number },
        audience_details: [{ audience_id: [1 + (number % 3)], audience_type: 'list' }],
      }));
      await api.v5(account.apiKey, '/contact/create', { data: { contact_type: 'identified', contacts } });
      accounts.push(account);
    }
    const world = new World(api, document, accounts, receiverUrl);
    await world.keepUsable();
    return world;
  }

  /**
   * Undoes what hostile requests did to the accounts (limits, revoked keys), and looks up the items
   * that they created.
   */
  async keepUsable(): Promise<void> {
    for (const [at, account] of this.accounts.entries()) {
      const { accountId } = account;
      const { settings } = accountKinds[at]!;
      const normal = {
        rate_limit: 0,
        auto_create_attributes: false,
        reject_existing_contacts: false,
        daily_batch_limit: 1_000_000,
      };
      await this.#api.operator('PATCH', `/accounts/${accountId}`, { settings: { ...normal, ...settings } });
      await this.renewKey(account);
      for (const { path, parameter } of this.#collections) {
        const rows = await this.#api.list(`${path.replace('{account_id}', String(accountId))}?limit=${namedIds}`);
        const ids = rows.map((row) => row[parameter]).filter((id) => id !== undefined && id !== account.apiKeyId);
        this.#ids.set(`${path} ${accountId}`, ids as (string | number)[]);
        if (parameter === 'request_id') this.#noteFiles(rows, accountId);
      }
      const found = await this.#api.v5(account.apiKey, '/contact/search', {
        output: { pagination: { limit: namedIds } },
      });
      this.#ids.set(
        `contacts ${accountId}`,
        (found.data as { contact_id: number }[]).map(({ contact_id }) => contact_id),
      );
    }
  }

  /** Creates another key for an account if a hostile request has revoked the current one. */
  async renewKey(account: WorldAccount): Promise<void> {
    if (await this.#api.isValidKey(account.apiKey)) return;
    const { api_key: apiKey, api_key_id: apiKeyId } = await this.#api.newKey(account.accountId);
    Object.assign(account, { apiKey, apiKeyId });
  }

  /** Returns identifiers that exist, for a parameter of an operation. */
  ids(operation: string, parameter: string, { accountId }: WorldAccount): readonly (string | number)[] {
    if (parameter === 'contact_id') return this.#ids.get(`contacts ${accountId}`) ?? [];
    if (parameter === 'file') return this.#ids.get(`files ${accountId}`) ?? [];
    const collection = this.#collections.find(({ users }) => users.includes(operation));
    return (collection && this.#ids.get(`${collection.path} ${accountId}`)) ?? [];
  }

  /** Returns a value that exists, for a field of a body. Returns undefined for other fields. */
  known(field: string, { accountId, primaryKey }: WorldAccount, random: Random): unknown {
    switch (field) {
      case 'identity':
      case 'primary_key':
        return identityOf(primaryKey, random.integer(0, 60));
      case 'email':
        return `person${random.integer(0, 60)}@example.com`;
      case 'mobile':
        return `91980000${1000 + random.integer(0, 60)}`;
      case 'audience_id':
      case 'audience_ids':
      case 'listid':
        return random.integer(1, 4);
      case 'contact_id':
        return random.pick([1, ...(this.#ids.get(`contacts ${accountId}`) ?? [])]);
      case 'primarykey':
        return primaryKey;
      default:
        return undefined;
    }
  }

  /** Replaces every URL in a body by that of the receiver of this run. */
  adapt(body: unknown): unknown {
    if (typeof body === 'string') return body.replaceAll(/https?:\/\/[\w.:-]+/g, this.receiverUrl);
    return JSON.parse(JSON.stringify(body).replaceAll(/https?:\/\/[\w.:-]+/g, this.receiverUrl));
  }

  /** Stores the names of export files, with the query that has their signature. */
  #noteFiles(rows: readonly Record<string, unknown>[], accountId: number): void {
    const urls = rows.map((row) => row['file_url']).filter((url) => typeof url === 'string');
    const names = urls.map((url) => url.slice(url.lastIndexOf('/') + 1));
    if (names.length > 0) this.#ids.set(`files ${accountId}`, names);
  }
}

/** Returns the identity of a person. It is the same as in the bodies of the other fuzz test. */
function identityOf(primaryKey: string, number: number): string {
  if (primaryKey === 'EMAIL') return `person${number}@example.com`;
  return primaryKey === 'MOBILE' ? `91980000${1000 + number}` : `C-${number}`;
}

/**
 * Finds the collections that can be listed, each with the parameter for one item and the operations
 * on an item.
 */
function collectionsOf(document: OpenApiDocument) {
  const operations = [...operationsOf(document)];
  return operations.flatMap(({ path, method }) => {
    // Not those inside of an item, such as the deliveries of a subscription.
    if (method !== 'get' || !/^\/admin\/v1\/accounts\/\{account_id\}\/[^{]*$/.test(path)) return [];
    const inside = operations.filter((other) => other.path.startsWith(`${path}/{`));
    const parameter = /\{(\w+)\}/.exec(inside[0]?.path.slice(path.length) ?? '')?.[1];
    // Contacts are found by a search.
    return parameter === undefined || parameter === 'contact_id'
      ? []
      : [{ path, parameter, users: inside.map(({ operation }) => operation.operationId) }];
  });
}
