import { maxInteger } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { listAttributeRows } from '#features/registry/attribute-store.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { changeIndexed, requireAttribute } from './request-index.ts';
import { operatorAttributeView } from './view.ts';

/** Operations of operators on attributes and their indexes. */
export function attributeIndexRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'listAttributes', {
    async handle({ params, query }) {
      await requireAccount(context.db, params.account_id);
      return pageOf(query, {
        bounds: [maxInteger],
        load: (after, limit) => listAttributeRows(context.db, params.account_id, after?.[0] ?? 0, limit),
        position: (row) => [row.attribute_id],
        view: operatorAttributeView,
      });
    },
  });

  serve(app, 'getAttribute', {
    handle: async ({ params }) =>
      operatorAttributeView(await requireAttribute(context.db, params.account_id, params.attribute_id)),
  });

  serve(app, 'indexAttribute', {
    handle: async ({ params, body, actor }) =>
      operatorAttributeView(
        await changeIndexed(context, params.account_id, params.attribute_id, body.indexed, actor.author),
      ),
  });
}
