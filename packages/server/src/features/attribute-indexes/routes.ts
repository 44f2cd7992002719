import { maxInteger, type OperatorAttribute } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { listAttributeRows, loadAttributeRows, type AttributeRow } from '#features/registry/attribute-store.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { loadFills } from './fill-store.ts';
import { changeIndexed, requireAttribute } from './request-index.ts';
import { operatorAttributeViews } from './view.ts';

/** Operations of operators on attributes and their indexes. */
export function attributeIndexRoutes(app: FastifyInstance, { context }: Service): void {
  async function viewsOf(accountId: number, rows: readonly AttributeRow[], actor: Actor): Promise<OperatorAttribute[]> {
    return operatorAttributeViews(rows, {
      all: await loadAttributeRows(context.db, accountId),
      fills: await loadFills(context.db, accountId),
      isUnmasked: actor.can('unmasked', accountId),
    });
  }

  serve(app, 'listAttributes', {
    async handle({ params: { account_id: accountId }, query, actor }) {
      await requireAccount(context.db, accountId);
      const page = await pageOf(query, {
        bounds: [maxInteger],
        load: (after, limit) => listAttributeRows(context.db, accountId, after?.[0] ?? 0, limit),
        position: (row) => [row.attribute_id],
        view: (row) => row,
      });
      return { ...page, data: await viewsOf(accountId, page.data, actor) };
    },
  });

  serve(app, 'getAttribute', {
    async handle({ params: { account_id: accountId, attribute_id: id }, actor }) {
      const row = await requireAttribute(context.db, accountId, id);
      return (await viewsOf(accountId, [row], actor))[0]!;
    },
  });

  serve(app, 'indexAttribute', {
    async handle({ params: { account_id: accountId, attribute_id: id }, body, actor }) {
      const row = await changeIndexed(context, accountId, id, body.indexed, actor.author);
      return (await viewsOf(accountId, [row], actor))[0]!;
    },
  });
}
