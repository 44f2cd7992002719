import { maxInteger } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { dailyBatchOf } from './daily-limit/daily-limit.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { listAccounts } from './store/account-store.ts';
import { accountDetailView, accountView, createdAccountView } from './account-view.ts';
import { changeAccount, createAccount } from './accounts.ts';
import { requireAccount } from './store/require-account.ts';

/** Operations on accounts. */
export function accountRoutes(app: FastifyInstance, { context, credentials }: Service): void {
  serve(app, 'createAccount', {
    handle: async ({ body, actor }) => createdAccountView(await createAccount(context, body, actor.author)),
  });

  serve(app, 'listAccounts', {
    handle: async ({ query, actor }) =>
      pageOf(query, {
        bounds: [maxInteger],
        load: (after, limit) => listAccounts(context.db, actor.accounts, after?.[0] ?? 0, limit),
        position: (row) => [row.account_id],
        view: accountView,
      }),
  });

  serve(app, 'getAccount', {
    async handle({ params }) {
      const account = await requireAccount(context.db, params.account_id);
      return accountDetailView(account, await dailyBatchOf(context, account));
    },
  });

  serve(app, 'updateAccount', {
    async handle({ params, body, actor }) {
      const account = await changeAccount(context, params.account_id, body, actor.author);
      credentials.forget(params.account_id);
      return accountDetailView(account, await dailyBatchOf(context, account));
    },
  });
}
