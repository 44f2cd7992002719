import { SearchAttributesBody } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import type { Service } from '#platform/http/server/service.ts';
import type { ApiKeyRequest } from '#platform/http/operations/request.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { successOf } from '#platform/http/operations/success.ts';
import { acceptChecked, acceptedAnswer } from '#pipeline/accept/accept-request.ts';
import { loadAttributeRows } from '#features/registry/attribute-store.ts';
import { checkCreation, checkDefinitions, checkDeletion, checkOtherReferences } from './checks.ts';
import { checkAttributeSearch, searchAttributes, type AttributeSearch } from './search.ts';
import { authorOf, changeAttributes, checkChanges, createUpdateGate } from './update.ts';
import { usageOf } from './usage-report.ts';
import { attributeViews } from './view.ts';

/** The five operations on attributes. */
export function attributeRoutes(app: FastifyInstance, service: Service): void {
  const updates = createUpdateGate();
  serve(app, 'createAttributes', {
    check: async ({ body }, faults) => checkDefinitions(body, faults),
    async handle(request) {
      const payload = { attributes: request.body.data, ...authorOf(request) };
      const check = () => checkCreation(service.context, request.credential, request.body);
      return acceptedAnswer(
        await acceptChecked(service, request, 'attribute.create', payload, payload.attributes.length, check),
      );
    },
  });
  serve(app, 'searchAttributes', {
    check: async ({ body }, faults) => checkAttributeSearch(body, faults),
    handle: (request, wanted) => search(service, request, wanted),
  });
  serve(app, 'updateAttributes', {
    check: async ({ body }, faults) => checkChanges(body, faults),
    async handle(request) {
      const { requestId, rows, all } = await changeAttributes(service, updates, request);
      return {
        ...successOf({ requestId }, 'The attributes were updated'),
        data: attributeViews(rows, all, request.credential.scopes.has('unmasked')),
      };
    },
  });
  serve(app, 'deleteAttributes', {
    check: ({ body, credential }, faults) => checkOtherReferences(service.context, credential.accountId, body, faults),
    async handle(request) {
      const payload = { attributes: request.body.data, ...authorOf(request) };
      const check = () => checkDeletion(service.context, request.credential, request.body.data);
      return acceptedAnswer(
        await acceptChecked(service, request, 'attribute.delete', payload, payload.attributes.length, check),
      );
    },
  });
  serve(app, 'getAttributeUsage', {
    check: ({ body, credential }, faults) => checkOtherReferences(service.context, credential.accountId, body, faults),
    async handle(request) {
      const data = await usageOf(
        service.context,
        request.credential.accountId,
        request.body.data,
        request.disconnectSignal(),
      );
      return { ...successOf(request, 'Usage found'), data };
    },
  });
}

async function search({ context }: Service, request: ApiKeyRequest<SearchAttributesBody>, wanted: AttributeSearch) {
  const all = await loadAttributeRows(context.db, request.credential.accountId);
  const { rows, count } = searchAttributes(all, wanted);
  return {
    ...successOf(request, rows.length === 0 ? 'No attribute matches' : 'Attributes found'),
    data: attributeViews(rows, all, request.credential.scopes.has('unmasked')),
    ...(wanted.getCount ? { count } : {}),
  };
}
