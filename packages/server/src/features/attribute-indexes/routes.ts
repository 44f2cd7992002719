import { maxInteger } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { listAttributeRows } from '#features/registry/attribute-store.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { loadFills } from './fill-store.ts';
import { changeIndexed, requireAttribute } from './request-index.ts';
import { operatorAttributeView } from './view.ts';

/** Operations of operators on attributes and their indexes. */
export function attributeIndexRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'listAttributes', {
    async handle({ params, query }) {
      await requireAccount(context.db, params.account_id);
      const page = await pageOf(query, {
        bounds: [maxInteger],
        load: (after, limit) => listAttributeRows(context.db, params.account_id, after?.[0] ?? 0, limit),
        position: (row) => [row.attribute_id],
        view: (row) => row,
      });
      const fills = await loadFills(context.db, params.account_id);
      return { ...page, data: page.data.map((row) => operatorAttributeView(row, fills)) };
    },
  });

  serve(app, 'getAttribute', {
    async handle({ params }) {
      const row = await requireAttribute(context.db, params.account_id, params.attribute_id);
      return operatorAttributeView(row, await loadFills(context.db, params.account_id));
    },
  });

  serve(app, 'indexAttribute', {
    async handle({ params: { account_id: accountId, attribute_id: id }, body, actor }) {
      const row = await changeIndexed(context, accountId, id, body.indexed, actor.author);
      return operatorAttributeView(row, await loadFills(context.db, accountId));
    },
  });
}
