import {
  AccountDetail,
  CreateAccountBody,
  CreatedAccount,
  pageAnswer,
  PageQuery,
  UpdateAccountBody,
} from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { dailyBatchOf } from './daily-limit/daily-limit.ts';
import { serveAdmin } from '#platform/http/operations/admin.ts';
import { maxInteger, pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { listAccounts } from './store/account-store.ts';
import { accountDetailView, accountView, createdAccountView } from './account-view.ts';
import { changeAccount, createAccount } from './accounts.ts';
import { requireAccount } from './store/require-account.ts';

const tag = 'Accounts';

/** Parameters of the operations of one account. */
export const accountParams = Type.Object({ account_id: Type.Integer({ minimum: 1, maximum: maxInteger }) });

/** Operations on accounts (decisions §9). */
export function accountRoutes(app: FastifyInstance, { context, credentials }: Service): void {
  serveAdmin(app, {
    method: 'POST',
    path: '/accounts',
    operationId: 'createAccount',
    tag,
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
    handle: async ({ body }) => createdAccountView(await createAccount(context, body)),
  });

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts',
    operationId: 'listAccounts',
    tag,
    summary: 'List accounts',
    description: 'Lists the accounts in order of their ids.',
    query: PageQuery,
    answer: pageAnswer('Account'),
    handle: async ({ query }) =>
      pageOf(query, {
        bounds: [maxInteger],
        load: (after, limit) => listAccounts(context.db, after?.[0] ?? 0, limit),
        position: (row) => [row.account_id],
        view: accountView,
      }),
  });

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id',
    operationId: 'getAccount',
    tag,
    summary: 'Get an account',
    description: 'Answers one account, with how far it is with its batch adds of today.',
    params: accountParams,
    answer: AccountDetail,
    async handle({ params }) {
      const account = await requireAccount(context.db, params.account_id);
      return accountDetailView(account, await dailyBatchOf(context, account));
    },
  });

  serveAdmin(app, {
    method: 'PATCH',
    path: '/accounts/:account_id',
    operationId: 'updateAccount',
    tag,
    summary: 'Change an account',
    description:
      'Changes the given fields. Settings are merged; null returns a setting to its default. The primary key can change only while the account has no contacts and no requests wait to be applied. Every process obeys the change within 5 seconds.',
    params: accountParams,
    body: UpdateAccountBody,
    examples: {
      settings: { summary: 'Refuse contacts that exist', value: { settings: { reject_existing_contacts: true } } },
    },
    answer: AccountDetail,
    errors: ['conflict'],
    async handle({ params, body }) {
      const account = await changeAccount(context, params.account_id, body);
      credentials.forget(params.account_id);
      return accountDetailView(account, await dailyBatchOf(context, account));
    },
  });
}
