import { maxInteger } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { listLists } from './list-store.ts';
import { listView } from './list-view.ts';
import { changeList, createList, deleteList, requireList } from './lists.ts';

/** Operations on lists, the audiences with explicit members. */
export function listRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'createList', {
    handle: async ({ params, body, actor }) =>
      listView(await createList(context, params.account_id, body.name, actor.author)),
  });

  serve(app, 'listLists', {
    async handle({ params, query }) {
      await requireAccount(context.db, params.account_id);
      return pageOf(query, {
        bounds: [maxInteger],
        load: (after, limit) => listLists(context.db, params.account_id, after?.[0] ?? 0, limit),
        position: (row) => [row.audience_id],
        view: listView,
      });
    },
  });

  serve(app, 'getList', {
    handle: async ({ params }) => listView(await requireList(context.db, params.account_id, params.audience_id)),
  });

  serve(app, 'updateList', {
    handle: async ({ params, body, actor }) =>
      listView(await changeList(context, params.account_id, params.audience_id, body, actor.author)),
  });

  serve(app, 'deleteList', {
    async handle({ params, actor }) {
      await deleteList(context, params.account_id, params.audience_id, actor.author);
      return undefined;
    },
  });
}
