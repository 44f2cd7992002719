import {
  indexedAttributesPerAccount,
  OperatorAttribute,
  pageAnswer,
  PageQuery,
  UpdateOperatorAttributeBody,
} from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { accountParams } from '#features/accounts/account-routes.ts';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { listAttributeRows } from '#features/registry/attribute-store.ts';
import { serveAdmin } from '#platform/http/operations/admin.ts';
import { maxInteger, pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { changeIndexed, indexedAttributesInAll, requireAttribute } from './mark.ts';
import { operatorAttributeView } from './view.ts';

const tag = 'Attribute indexes';

const attributeParams = Type.Object({
  ...accountParams.properties,
  attribute_id: Type.Integer({ minimum: 1, maximum: maxInteger }),
});

/** Operations on the indexes of attributes, for operators (decisions §9). */
export function attributeIndexRoutes(app: FastifyInstance, { context }: Service): void {
  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/attributes',
    operationId: 'listAttributes',
    tag,
    summary: 'List the attributes',
    description: 'Lists the attributes of the account in order of their numbers, and how far their indexes are.',
    params: accountParams,
    query: PageQuery,
    answer: pageAnswer('OperatorAttribute'),
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

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/attributes/:attribute_id',
    operationId: 'getAttribute',
    tag,
    summary: 'Get an attribute',
    description: 'Answers one attribute, and how far its index is.',
    params: attributeParams,
    answer: OperatorAttribute,
    handle: async ({ params }) =>
      operatorAttributeView(await requireAttribute(context.db, params.account_id, params.attribute_id)),
  });

  serveAdmin(app, {
    method: 'PATCH',
    path: '/accounts/:account_id/attributes/:attribute_id',
    operationId: 'indexAttribute',
    tag,
    summary: 'Index an attribute, or stop that',
    description: `Asks for an index on the values of an attribute, which makes ranges, sorting and \`starts_with\` fast however many contacts there are; equality is fast without. It is built in the background, without blocking reading or writing, and used once it is \`ready\`. Every index costs each write: an account can have ${indexedAttributesPerAccount}, all accounts together ${indexedAttributesInAll}. An attribute of the type \`long_text\` and the primary key are refused.`,
    params: attributeParams,
    body: UpdateOperatorAttributeBody,
    examples: { index: { summary: 'Have the values indexed', value: { indexed: true } } },
    answer: OperatorAttribute,
    errors: ['conflict'],
    handle: async ({ params, body }) =>
      operatorAttributeView(await changeIndexed(context, params.account_id, params.attribute_id, body.indexed)),
  });
}
