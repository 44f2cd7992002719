import {
  AccountDetail,
  apiKeysPerAccount,
  CreateAccountBody,
  CreateApiKeyBody,
  CreatedAccount,
  CreatedApiKey,
  UpdateAccountBody,
} from '../../shapes/service/accounts.ts';
import { PageQuery, pageAnswer } from '../../shapes/common/paging.ts';
import { operation } from '../definition/operation.ts';

/** Accounts and their API keys. */
export const accountOperations = {
  createAccount: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts',
    permission: 'installation',
    repeat: 'unsafe',
    tag: 'Accounts',
    summary: 'Create an account',
    description:
      'Creates an account with the system attributes and a first API key. The key has the default scopes of **Create an API key**, and `requests:read`. It is shown only in this answer.',
    body: CreateAccountBody,
    examples: {
      simple: {
        summary: 'Contacts are identified by e-mail',
        value: { name: 'Acme India', time_zone: 'Asia/Kolkata' },
      },
      customKey: {
        summary: 'Contacts are identified by a customer number',
        value: { name: 'Acme Europe', primary_key: 'CUSTOMER_ID', settings: { auto_create_attributes: true } },
      },
    },
    status: 201,
    answer: CreatedAccount,
  }),

  listAccounts: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts',
    permission: 'any-account',
    repeat: 'harmless',
    tag: 'Accounts',
    summary: 'List accounts',
    description: 'Lists the accounts that the caller may see, ordered by `account_id`.',
    query: PageQuery,
    answer: pageAnswer('Account'),
  }),

  getAccount: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}',
    permission: 'account:read',
    repeat: 'harmless',
    entityTag: 'answer',
    tag: 'Accounts',
    summary: 'Get an account',
    description: 'Returns one account, and how many batch adds it has used today.',
    answer: AccountDetail,
  }),

  updateAccount: operation({
    generation: 'operator',
    method: 'PATCH',
    path: '/admin/v1/accounts/{account_id}',
    permission: 'account:write',
    repeat: 'harmless',
    entityTag: 'change',
    tag: 'Accounts',
    summary: 'Change an account',
    description:
      'Changes the fields that you send. Settings are merged. `null` resets a setting to its default. The primary key can change only while the account has no contacts and no waiting requests. Every process uses the change within 5 seconds.',
    body: UpdateAccountBody,
    examples: {
      settings: { summary: 'Refuse existing contacts', value: { settings: { reject_existing_contacts: true } } },
    },
    answer: AccountDetail,
    errors: ['conflict'],
  }),

  createApiKey: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/api-keys',
    permission: 'api-keys:write',
    repeat: 'unsafe',
    tag: 'API keys',
    summary: 'Create an API key',
    description: `Creates an API key. The key is shown only in this answer, because the service stores only its hash. A caller can give only scopes that the caller has in the account; otherwise the answer is 403. An account can have up to ${apiKeysPerAccount} active keys: those that are not revoked and have not expired. To rotate a key, create the new one, change the clients, and revoke the old one.`,
    body: CreateApiKeyBody,
    examples: {
      all: { summary: 'The default scopes', value: { name: 'Website 2026' } },
      readOnly: {
        summary: 'Search only, until a date',
        value: { name: 'Dashboard', scopes: ['contacts:read', 'attributes:read'], expires_at: '2027-01-31T00:00:00Z' },
      },
    },
    status: 201,
    answer: CreatedApiKey,
    errors: ['conflict'],
  }),

  listApiKeys: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/api-keys',
    permission: 'api-keys:read',
    repeat: 'harmless',
    tag: 'API keys',
    summary: 'List API keys',
    description:
      'Lists the API keys of the account, ordered by `api_key_id`. The list includes revoked and expired keys. It never shows the keys themselves.',
    query: PageQuery,
    answer: pageAnswer('ApiKey'),
  }),

  revokeApiKey: operation({
    generation: 'operator',
    method: 'DELETE',
    path: '/admin/v1/accounts/{account_id}/api-keys/{api_key_id}',
    permission: 'api-keys:write',
    repeat: 'harmless',
    tag: 'API keys',
    summary: 'Revoke an API key',
    description:
      'Revokes an API key. This cannot be undone. The key stops working within 5 seconds in every process. It stays in the list. Revoking it again changes nothing.',
    status: 204,
  }),
};
