import {
  AccountDetail,
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
    repeat: 'unsafe',
    tag: 'Accounts',
    summary: 'Create an account',
    description:
      'Creates an account with the system attributes and a first API key. The key is shown only in this answer; it has every scope but `unmasked`.',
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
    repeat: 'harmless',
    tag: 'Accounts',
    summary: 'List accounts',
    description: 'Lists the accounts in order of their ids.',
    query: PageQuery,
    answer: pageAnswer('Account'),
  }),

  getAccount: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}',
    repeat: 'harmless',
    tag: 'Accounts',
    summary: 'Get an account',
    description: 'Answers one account, with how far it is with its batch adds of today.',
    answer: AccountDetail,
  }),

  updateAccount: operation({
    generation: 'operator',
    method: 'PATCH',
    path: '/admin/v1/accounts/{account_id}',
    repeat: 'harmless',
    tag: 'Accounts',
    summary: 'Change an account',
    description:
      'Changes the given fields. Settings are merged; null returns a setting to its default. The primary key can change only while the account has no contacts and no requests wait to be applied. Every process obeys the change within 5 seconds.',
    body: UpdateAccountBody,
    examples: {
      settings: { summary: 'Refuse contacts that exist', value: { settings: { reject_existing_contacts: true } } },
    },
    answer: AccountDetail,
    errors: ['conflict'],
  }),

  createApiKey: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/api-keys',
    repeat: 'unsafe',
    tag: 'API keys',
    summary: 'Create an API key',
    description:
      'Creates an API key. The key is shown only in this answer; only its hash is stored. Any number of keys are valid at once: to rotate, create the new key, change the clients, revoke the old one.',
    body: CreateApiKeyBody,
    examples: {
      all: { summary: 'Everything but unmasked values', value: { name: 'Website 2026' } },
      readOnly: {
        summary: 'Search only, until a date',
        value: { name: 'Dashboard', scopes: ['contacts:read', 'attributes:read'], expires_at: '2027-01-31T00:00:00Z' },
      },
    },
    status: 201,
    answer: CreatedApiKey,
  }),

  listApiKeys: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/api-keys',
    repeat: 'harmless',
    tag: 'API keys',
    summary: 'List API keys',
    description:
      'Lists the API keys of the account in order of their ids, with revoked and expired ones, without the keys themselves.',
    query: PageQuery,
    answer: pageAnswer('ApiKey'),
  }),

  revokeApiKey: operation({
    generation: 'operator',
    method: 'DELETE',
    path: '/admin/v1/accounts/{account_id}/api-keys/{api_key_id}',
    repeat: 'harmless',
    tag: 'API keys',
    summary: 'Revoke an API key',
    description:
      'Revokes an API key for good. It stops working at once here and within 5 seconds on every process. Revoking it again changes nothing. It stays in the listing.',
    status: 204,
  }),
};
