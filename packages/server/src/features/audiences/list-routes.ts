import { CreateListBody, List, pageAnswer, PageQuery, UpdateListBody } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { accountParams } from '#features/accounts/account-routes.ts';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serveAdmin } from '#platform/http/operations/admin.ts';
import { maxInteger, pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { audienceParams } from './audience-params.ts';
import { listLists } from './list-store.ts';
import { listView } from './list-view.ts';
import { changeList, createList, deleteList, requireList } from './lists.ts';

const tag = 'Lists';

/** Operations on lists: audiences with explicit members (decisions §1, §9). */
export function listRoutes(app: FastifyInstance, { context }: Service): void {
  serveAdmin(app, {
    method: 'POST',
    path: '/accounts/:account_id/lists',
    operationId: 'createList',
    tag,
    summary: 'Create a list',
    description: 'Creates an empty list. Contacts are added by its `audience_id` in contact create and update.',
    params: accountParams,
    body: CreateListBody,
    examples: { simple: { summary: 'A newsletter', value: { name: 'Newsletter' } } },
    status: 201,
    answer: List,
    handle: async ({ params, body }) => listView(await createList(context, params.account_id, body.name)),
  });

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/lists',
    operationId: 'listLists',
    tag,
    summary: 'List the lists',
    description: 'Lists the lists of the account in order of their numbers, with their member counts.',
    params: accountParams,
    query: PageQuery,
    answer: pageAnswer('List'),
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

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/lists/:audience_id',
    operationId: 'getList',
    tag,
    summary: 'Get a list',
    description: 'Answers one list with its member count, which is exact as of the last request that was applied.',
    params: audienceParams,
    answer: List,
    handle: async ({ params }) => listView(await requireList(context.db, params.account_id, params.audience_id)),
  });

  serveAdmin(app, {
    method: 'PATCH',
    path: '/accounts/:account_id/lists/:audience_id',
    operationId: 'updateList',
    tag,
    summary: 'Rename a list',
    description: 'Changes the given fields.',
    params: audienceParams,
    body: UpdateListBody,
    examples: { name: { summary: 'Another name', value: { name: 'Newsletter 2026' } } },
    answer: List,
    handle: async ({ params, body }) =>
      listView(await changeList(context, params.account_id, params.audience_id, body)),
  });

  serveAdmin(app, {
    method: 'DELETE',
    path: '/accounts/:account_id/lists/:audience_id',
    operationId: 'deleteList',
    tag,
    summary: 'Delete a list',
    description:
      'Deletes a list. It is gone at once; its number is taken out of the contacts in the background and is not given again. The contacts stay. A list that a segment uses is refused.',
    params: audienceParams,
    status: 204,
    errors: ['conflict'],
    async handle({ params }) {
      await deleteList(context, params.account_id, params.audience_id);
      return undefined;
    },
  });
}
