import {
  AttributeUsageAnswer,
  AttributeUsageBody,
  CreateAttributesBody,
  DeleteAttributesBody,
  SearchAttributesAnswer,
  SearchAttributesBody,
  UpdateAttributesAnswer,
  UpdateAttributesBody,
} from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import type { Service } from '#platform/http/server/service.ts';
import { serveV5, successOf, type V5Request } from '#platform/http/operations/v5.ts';
import { acceptChecked, acceptedAnswer } from '#pipeline/accept/accept-request.ts';
import { failuresByOperation } from '#app/worker/failures.ts';
import { loadAttributeRows } from '#features/registry/attribute-store.ts';
import { checkCreation, checkDefinitions, checkDeletion, checkOtherReferences } from './checks.ts';
import {
  attributeUsageExamples,
  createAttributesExamples,
  deleteAttributesExamples,
  searchAttributesExamples,
  updateAttributesExamples,
} from './examples.ts';
import { checkAttributeSearch, searchAttributes, type AttributeSearch } from './search.ts';
import { authorOf, changeAttributes, checkChanges, createUpdateGate } from './update.ts';
import { usageOf } from './usage-report.ts';
import { attributeViews } from './view.ts';

const tag = 'Attributes';

/** The five operations on attributes (interface §4.2, decisions §4). */
export function attributeRoutes(app: FastifyInstance, service: Service): void {
  const updates = createUpdateGate();
  serveV5(app, {
    path: '/client/attribute/create',
    operationId: 'createAttributes',
    tag,
    summary: 'Create attributes',
    description:
      'Accepts 1 to 100 attributes. They are created in the order of acceptance with all other requests of the account: contacts that are sent right after can use them. A name that exists by then fails (`attribute_exists`) without sinking the others. An account has at most 500 attributes: a request that goes beyond is refused as a whole, unless other changes of attributes wait; then those beyond fail (`attribute_count`). A name that a masked attribute had before needs a mask that hides as much, or the scope `unmasked` (403).',
    scope: 'attributes:write',
    body: CreateAttributesBody,
    examples: createAttributesExamples,
    failures: failuresByOperation['attribute.create'],
    errors: ['idempotency_conflict'],
    check: async ({ body }, faults) => checkDefinitions(body, faults),
    async handle(request) {
      const payload = { attributes: request.body.data, ...authorOf(request) };
      const check = () => checkCreation(service.context, request.credential, request.body);
      return acceptedAnswer(
        await acceptChecked(service, request, 'attribute.create', payload, payload.attributes.length, check),
      );
    },
  });
  serveV5(app, {
    path: '/client/attribute/search',
    operationId: 'searchAttributes',
    tag,
    summary: 'Search attributes',
    description:
      'Answers the attributes that match; without a filter, all of them. Fields of a filter: `name` (`equals`, `contains`, `starts_with`, in any letter case), `entity_type`, `data_type` and `category` (`equals`). Sorted by `name` unless `output.sorting` names `id`, `name`, `entity_type`, `data_type`, `category`, `created_at` or `updated_at`. `output.fields` is ignored: a record is always whole. Pages are asked for by `page`, there are no cursors. A condition that cannot be understood is never dropped: the request is refused with 400.',
    scope: 'attributes:read',
    body: SearchAttributesBody,
    examples: searchAttributesExamples,
    answer: SearchAttributesAnswer,
    check: async ({ body }, faults) => checkAttributeSearch(body, faults),
    handle: (request, wanted) => search(service, request, wanted),
  });
  serveV5(app, {
    path: '/client/attribute/update',
    operationId: 'updateAttributes',
    tag,
    summary: 'Update attributes',
    description:
      'Changes 1 to 100 attributes, all or none, and answers what they are then, in the order of the request; one that another request has deleted in that moment is left out. The changes take effect in the order of acceptance: contacts that were accepted before are applied with the attributes as they were, those accepted after the answer with the new ones. Behind a long bulk load the call waits its turn, at most 30 s in all: then the update is withdrawn, nothing is changed, and the answer is 503 (`pipeline_busy`). Updates are accepted ten at a time of one account and API process; those that do not get a place within these 30 s are answered 503 without having been accepted. A rename keeps every value, segment and mapping; it is refused while an unfinished import writes the attribute (a dry run does not count). `data_type` changes to `text`, and from `text` to `long_text`, keep the values; any other change needs an attribute without values that nothing uses. Refusals are 400 and name what uses the attribute. Renaming a masked attribute, making a mask weaker, and a mapping after which a name is masked less need the scope `unmasked` too (403).',
    scope: 'attributes:write',
    body: UpdateAttributesBody,
    examples: updateAttributesExamples,
    answer: UpdateAttributesAnswer,
    errors: ['idempotency_conflict', 'pipeline_busy', 'too_many_requests_in_flight'],
    check: async ({ body }, faults) => checkChanges(body, faults),
    async handle(request) {
      const { requestId, rows, all } = await changeAttributes(service, updates, request);
      return {
        ...successOf({ requestId }, 'The attributes were updated'),
        data: attributeViews(rows, all, request.credential),
      };
    },
  });
  serveV5(app, {
    path: '/client/attribute/delete',
    operationId: 'deleteAttributes',
    tag,
    summary: 'Delete attributes',
    description:
      'Accepts 1 to 100 attributes to delete: names, numbers, or objects with one of the two. Unknown and system attributes, and those that something uses (see usage), are refused; this is checked again when they are deleted. Deleting a masked attribute needs the scope `unmasked` too (403). The name is free and the values are invisible at once; they are taken out of the contacts in the background.',
    scope: 'attributes:write',
    body: DeleteAttributesBody,
    examples: deleteAttributesExamples,
    failures: failuresByOperation['attribute.delete'],
    errors: ['idempotency_conflict'],
    check: ({ body, credential }, faults) => checkOtherReferences(service.context, credential.accountId, body, faults),
    async handle(request) {
      const payload = { attributes: request.body.data, ...authorOf(request) };
      const check = () => checkDeletion(service.context, request.credential, request.body.data);
      return acceptedAnswer(
        await acceptChecked(service, request, 'attribute.delete', payload, payload.attributes.length, check),
      );
    },
  });
  serveV5(app, {
    path: '/client/attribute/usage',
    operationId: 'getAttributeUsage',
    tag,
    summary: 'Show where attributes are used',
    description:
      'Answers for each attribute how many contacts have a value and what uses it: segments, the primary key, mappings, exports and imports that are not finished (a dry run does not count).',
    scope: 'attributes:read',
    body: AttributeUsageBody,
    examples: attributeUsageExamples,
    answer: AttributeUsageAnswer,
    errors: ['too_many_searches', 'search_timeout'],
    check: ({ body, credential }, faults) => checkOtherReferences(service.context, credential.accountId, body, faults),
    async handle(request) {
      const data = await usageOf(service.context, request.credential.accountId, request.body.data, request.departure());
      return { ...successOf(request, 'Usage found'), data };
    },
  });
}

async function search(
  { context }: Service,
  request: V5Request<SearchAttributesBody>,
  wanted: AttributeSearch,
): Promise<object> {
  const all = await loadAttributeRows(context.db, request.credential.accountId);
  const { rows, count } = searchAttributes(all, wanted);
  return {
    ...successOf(request, rows.length === 0 ? 'No attribute matches' : 'Attributes found'),
    data: attributeViews(rows, all, request.credential),
    ...(wanted.getCount ? { count } : {}),
  };
}
