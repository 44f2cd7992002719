import { createAccountOperator, type AccountOperator } from './account-operator.ts';
import type { PublicOperationId } from './client.ts';
import {
  createConnection,
  type CallArguments,
  type CallOptions,
  type ConnectionOptions,
} from './transport/connection.ts';
import { createOwnUser, type OwnUser } from './people/own-user.ts';
import { createSignIn, type SignIn } from './people/sign-in.ts';
import { createUsers, type Users } from './people/users.ts';
import { listRows, type ListOptions, type OperatorListing } from './transport/list-rows.ts';
import type { AnswerOf, OperationId } from './wire/operations.ts';
import { credentialOf } from './transport/request.ts';
import type {
  Account,
  AccountDeletion,
  AccountDetail,
  CreateAccountBody,
  CreatedAccount,
  System,
  UpdateAccountBody,
} from './wire/shapes.ts';

/** Options of {@link createOperatorClient}. */
export interface OperatorClientOptions extends ConnectionOptions {
  /**
   * The operator token, or the personal access token of a person. Without `token` and `apiKey`,
   * requests have no credential of their own: in a page of the service itself, the browser adds the
   * cookie of the session.
   */
  readonly token?: string;
  /**
   * An API key, instead of a token. It permits the operations of its account for which it has the
   * scopes, such as `lists:write`.
   */
  readonly apiKey?: string;
}

/** The operations of the operator API, for operators, people and API keys. */
export type OperatorOperationId = Exclude<OperationId, PublicOperationId>;

/** The operations of the operator API. */
export interface OperatorClient {
  readonly accounts: {
    list(options?: ListOptions): OperatorListing<Account>;
    get(accountId: number, options?: CallOptions): Promise<AccountDetail>;
    /** Creates an account and its first API key. Only this response contains the key. */
    create(account: CreateAccountBody, options?: CallOptions): Promise<CreatedAccount>;
    update(accountId: number, change: UpdateAccountBody, options?: CallOptions): Promise<AccountDetail>;
    /** Deletes an account with everything in it. `name` is its exact name. This cannot be undone. */
    delete(accountId: number, name: string, options?: CallOptions): Promise<AccountDeletion>;
  };
  /** Deletions of accounts, and their progress. */
  readonly accountDeletions: {
    list(options?: ListOptions): OperatorListing<AccountDeletion>;
    get(accountId: number, options?: CallOptions): Promise<AccountDeletion>;
  };
  /** The person of the session or of the personal access token. */
  readonly me: OwnUser;
  /** Signing in and out, for pages of the service. */
  readonly signIn: SignIn;
  /** The users of the installation. */
  readonly users: Users;
  /** Returns the versions and the state of the installation. */
  system(options?: CallOptions): Promise<System>;
  /** Returns the operations on one account. Sends no request. */
  account(accountId: number): AccountOperator;
  /** Sends an operation by its operationId in the OpenAPI document. */
  call<Id extends OperatorOperationId>(operation: Id, ...input: CallArguments<Id>): Promise<AnswerOf<Id>>;
}

/**
 * Creates a client for the operator API:
 * `createOperatorClient({ url: 'https://roster.example.com', token })`.
 */
export function createOperatorClient(options: OperatorClientOptions): OperatorClient {
  if ('token' in options && 'apiKey' in options) throw new TypeError('Send a token or an apiKey, not both');
  // A credential that is undefined by mistake must not make a client without a credential.
  const credential: Record<string, string> = {};
  if ('token' in options) credential['authorization'] = `Bearer ${credentialOf('token', options.token)}`;
  if ('apiKey' in options) credential['api-key'] = credentialOf('apiKey', options.apiKey);
  const connection = createConnection(options, credential);
  return {
    accounts: {
      list: (more) => listRows(connection, 'listAccounts', more),
      get: (accountId, more) => connection.call('getAccount', { ...more, path: { account_id: accountId } }),
      create: (account, more) => connection.call('createAccount', { ...more, body: account }),
      update: (accountId, change, more) =>
        connection.call('updateAccount', { ...more, path: { account_id: accountId }, body: change }),
      delete: (accountId, name, more) =>
        connection.call('deleteAccount', { ...more, path: { account_id: accountId }, query: { name } }),
    },
    accountDeletions: {
      list: (more) => listRows(connection, 'listAccountDeletions', more),
      get: (accountId, more) =>
        connection.call('getAccountDeletion', { ...more, path: { deleted_account_id: accountId } }),
    },
    me: createOwnUser(connection),
    signIn: createSignIn(connection),
    users: createUsers(connection),
    system: (more) => connection.call('getSystem', more),
    account: (accountId) => createAccountOperator(connection, accountId),
    call: (operation, ...[input]) => connection.call(operation, input),
  };
}
