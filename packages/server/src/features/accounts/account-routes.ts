import { maxInteger, type AccountDetail } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { dailyBatchOf } from './daily-limit/daily-limit.ts';
import { changeTagged, tagged } from '#platform/http/operations/entity-tag.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { listAccounts, type AccountRow } from './store/account-store.ts';
import { accountDetailView, accountView, createdAccountView } from './account-view.ts';
import { changeAccount, createAccount } from './accounts.ts';
import { storedFilesOf } from './stored-files/file-quota.ts';
import { requireAccount } from './store/require-account.ts';

/** Operations on accounts. */
export function accountRoutes(app: FastifyInstance, { context, credentials }: Service): void {
  const detail = async (account: AccountRow): Promise<AccountDetail> =>
    accountDetailView(account, {
      daily_batch: await dailyBatchOf(context, account),
      stored_files: await storedFilesOf(context, account.account_id),
    });

  serve(app, 'createAccount', {
    handle: async ({ body, actor }) => createdAccountView(await createAccount(context, body, actor)),
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
    handle: async ({ params, setHeader }) =>
      tagged(setHeader, await detail(await requireAccount(context.db, params.account_id))),
  });

  serve(app, 'updateAccount', {
    handle: ({ params: { account_id: accountId }, body, actor, ...request }) =>
      changeTagged(request, {
        what: `Account ${accountId}`,
        async change(ifMatch) {
          const account = await changeAccount(context, accountId, body, actor.author, ifMatch);
          credentials.forget(accountId);
          return detail(account);
        },
        load: async () => detail(await requireAccount(context.db, accountId)),
      }),
  });
}
