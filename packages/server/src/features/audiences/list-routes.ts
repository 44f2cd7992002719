import { growthDays, type List } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { changeTagged, tagged } from '#platform/http/operations/entity-tag.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { audienceOrder } from './audience-page.ts';
import { loadUsesView } from './audience-uses.ts';
import { listGrowth } from './growth/list-growth.ts';
import { listLists, type ListRow } from './list-store.ts';
import { listView } from './list-view.ts';
import { changeList, createList, deleteList, requireList, unknownList } from './lists.ts';

/** Operations on lists, the audiences with explicit members. */
export function listRoutes(app: FastifyInstance, { context }: Service): void {
  async function view(accountId: number, actor: Actor, row: ListRow): Promise<List> {
    const uses = await loadUsesView(context, accountId, actor);
    return listView(row, uses(row.audience_id));
  }

  serve(app, 'createList', {
    handle: async ({ params, body, actor }) =>
      listView(await createList(context, params.account_id, body.name, actor.author)),
  });

  serve(app, 'listLists', {
    async handle({ params, query, actor }) {
      await requireAccount(context.db, params.account_id);
      const uses = await loadUsesView(context, params.account_id, actor);
      return pageOf(query, {
        ...audienceOrder(query),
        load: (after, limit) => listLists(context.db, params.account_id, query, after, limit),
        view: (row: ListRow) => listView(row, uses(row.audience_id)),
      });
    },
  });

  serve(app, 'getList', {
    handle: async ({ params, actor, setHeader }) =>
      tagged(
        setHeader,
        await view(params.account_id, actor, await requireList(context.db, params.account_id, params.audience_id)),
      ),
  });

  serve(app, 'getListGrowth', {
    async handle({ params: { account_id: accountId, audience_id: audienceId }, query }) {
      const scope = { accountId, audienceId, now: context.now(), days: query.days ?? growthDays.default };
      const growth = await listGrowth(context.db, scope);
      if (growth === undefined) throw unknownList(accountId, audienceId);
      return growth;
    },
  });

  serve(app, 'updateList', {
    handle: ({ params: { account_id: accountId, audience_id: id }, body, actor, ...request }) =>
      changeTagged(request, {
        what: `List ${id}`,
        change: async (ifMatch) =>
          view(accountId, actor, await changeList(context, accountId, id, body, actor.author, ifMatch)),
        load: async () => view(accountId, actor, await requireList(context.db, accountId, id)),
      }),
  });

  serve(app, 'deleteList', {
    async handle({ params, actor }) {
      await deleteList(context, params.account_id, params.audience_id, actor);
      return undefined;
    },
  });
}
