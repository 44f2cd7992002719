import {
  OperatorAttribute,
  UpdateOperatorAttributeBody,
  indexedAttributesInAll,
  indexedAttributesPerAccount,
} from '../../shapes/contacts/attribute-indexes.ts';
import {
  AttributeUsageAnswer,
  AttributeUsageBody,
  CreateAttributesBody,
  DeleteAttributesBody,
  SearchAttributesAnswer,
  SearchAttributesBody,
  UpdateAttributesAnswer,
  UpdateAttributesBody,
} from '../../shapes/contacts/attributes.ts';
import { AcceptedAnswer } from '../../shapes/common/envelope.ts';
import { PageQuery, pageAnswer } from '../../shapes/common/paging.ts';
import { operation } from '../definition/operation.ts';
import { requestFailures } from '../definition/request-failures.ts';

/** Request bodies of attribute create for the documentation; each is sent by a test. */
const createAttributesExamples = {
  one: {
    summary: 'A text with a default',
    value: {
      data: [{ name: 'CUSTOMER_TIER', category: 'custom', data_type: 'text', default_value: 'bronze' }],
    },
  },
  several: {
    summary: 'Several, one masked, one in the place of a system attribute',
    value: {
      data: [
        { name: 'LIFETIME_VALUE', category: 'transaction', data_type: 'number', default_value: 0 },
        { name: 'PASSPORT_NUMBER', category: 'profile', data_type: 'text', data_masking: 'partial' },
        { name: 'HOME_TOWN', category: 'location', data_type: 'text', mapping: 'CITY' },
      ],
    },
  },
};

/** Request bodies of attribute search for the documentation. */
const searchAttributesExamples = {
  all: { summary: 'All attributes', value: { output: { pagination: { page: 1, limit: 100 } } } },
  partialName: {
    summary: 'By a part of the name and the data type',
    value: {
      filtering_criteria: [
        {
          condition_operator: 'and',
          condition_details: [
            { field: 'name', operation: 'contains', value: ['NAME'] },
            { field: 'data_type', operation: 'equals', value: ['text'] },
          ],
        },
      ],
      output: { get_count: true, sorting: [{ field: 'name', direction: 'asc' }], pagination: { page: 1, limit: 10 } },
    },
  },
};

/** Request bodies of attribute update for the documentation. */
const updateAttributesExamples = {
  mask: { summary: 'Mask an attribute', value: { data: [{ name: 'POSTAL_CODE', data_masking: 'partial' }] } },
  default: {
    summary: 'Give a default and another category',
    value: { data: [{ name: 'LANGUAGE', default_value: 'en', category: 'profile' }] },
  },
  rename: {
    summary: 'Rename an attribute; its values and the segments that use it stay',
    value: { data: [{ name: 'CUSTOMER_TIER', new_name: 'LOYALTY_TIER' }] },
  },
  several: {
    summary: 'Take a mapping away, and keep the values of a number as text; both or none',
    value: {
      data: [
        { name: 'HOME_TOWN', mapping: null },
        { name: 'LIFETIME_VALUE', data_type: 'text' },
      ],
    },
  },
};

/** Request bodies of attribute delete for the documentation. */
const deleteAttributesExamples = {
  byName: { summary: 'By name', value: { data: ['LOYALTY_TIER'] } },
  byNameObject: { summary: 'By name, as an object', value: { data: [{ name: 'LIFETIME_VALUE' }] } },
};

/** Request bodies of attribute usage for the documentation. */
const attributeUsageExamples = {
  byName: { summary: 'Of two attributes', value: { data: ['CITY', 'LANGUAGE'] } },
};

/** Attributes, and the indexes on their values. */
export const attributeOperations = {
  listAttributes: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/attributes',
    repeat: 'harmless',
    tag: 'Attribute indexes',
    summary: 'List the attributes',
    description: 'Lists the attributes of the account in order of their numbers, and how far their indexes are.',
    query: PageQuery,
    answer: pageAnswer('OperatorAttribute'),
  }),

  getAttribute: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/attributes/{attribute_id}',
    repeat: 'harmless',
    tag: 'Attribute indexes',
    summary: 'Get an attribute',
    description: 'Answers one attribute, and how far its index is.',
    answer: OperatorAttribute,
  }),

  indexAttribute: operation({
    generation: 'operator',
    method: 'PATCH',
    path: '/admin/v1/accounts/{account_id}/attributes/{attribute_id}',
    repeat: 'harmless',
    tag: 'Attribute indexes',
    summary: 'Index an attribute, or stop that',
    description: `Asks for an index on the values of an attribute, which makes ranges, sorting and \`starts_with\` fast however many contacts there are; equality is fast without. It is built in the background, without blocking reading or writing, and used once it is \`ready\`. Every index costs each write: an account can have ${indexedAttributesPerAccount}, all accounts together ${indexedAttributesInAll}. An attribute of the type \`long_text\` and the primary key are refused.`,
    body: UpdateOperatorAttributeBody,
    examples: { index: { summary: 'Have the values indexed', value: { indexed: true } } },
    answer: OperatorAttribute,
    errors: ['conflict'],
  }),

  createAttributes: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/client/attribute/create',
    scope: 'attributes:write',
    repeat: 'with-key',
    tag: 'Attributes',
    summary: 'Create attributes',
    description:
      'Accepts 1 to 100 attributes. They are created in the order of acceptance with all other requests of the account: contacts that are sent right after can use them. A name that exists by then fails (`attribute_exists`) without sinking the others. An account has at most 500 attributes: a request that goes beyond is refused as a whole, unless other changes of attributes wait; then those beyond fail (`attribute_count`). A name that a masked attribute had before needs a mask that hides as much, or the scope `unmasked` (403).',
    body: CreateAttributesBody,
    examples: createAttributesExamples,
    answer: AcceptedAnswer,
    failures: requestFailures['attribute.create'],
  }),

  searchAttributes: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/client/attribute/search',
    scope: 'attributes:read',
    repeat: 'harmless',
    tag: 'Attributes',
    summary: 'Search attributes',
    description:
      'Answers the attributes that match; without a filter, all of them. Fields of a filter: `name` (`equals`, `contains`, `starts_with`, in any letter case), `entity_type`, `data_type` and `category` (`equals`). Sorted by `name` unless `output.sorting` names `id`, `name`, `entity_type`, `data_type`, `category`, `created_at` or `updated_at`. `output.fields` is ignored: a record is always whole. Pages are asked for by `page`, there are no cursors. A condition that cannot be understood is never dropped: the request is refused with 400.',
    body: SearchAttributesBody,
    examples: searchAttributesExamples,
    answer: SearchAttributesAnswer,
  }),

  updateAttributes: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/client/attribute/update',
    scope: 'attributes:write',
    repeat: 'with-key',
    tag: 'Attributes',
    summary: 'Update attributes',
    description:
      'Changes 1 to 100 attributes, all or none, and answers what they are then, in the order of the request; one that another request has deleted in that moment is left out. The changes take effect in the order of acceptance: contacts that were accepted before are applied with the attributes as they were, those accepted after the answer with the new ones. Behind a long bulk load the call waits its turn, at most 30 s in all: then the update is withdrawn, nothing is changed, and the answer is 503 (`pipeline_busy`). Updates are accepted ten at a time of one account and API process; those that do not get a place within these 30 s are answered 503 without having been accepted. A rename keeps every value, segment and mapping; it is refused while an unfinished import writes the attribute (a dry run does not count). `data_type` changes to `text`, and from `text` to `long_text`, keep the values; any other change needs an attribute without values that nothing uses. Refusals are 400 and name what uses the attribute. Renaming a masked attribute, making a mask weaker, and a mapping after which a name is masked less need the scope `unmasked` too (403).',
    body: UpdateAttributesBody,
    examples: updateAttributesExamples,
    answer: UpdateAttributesAnswer,
    errors: ['pipeline_busy', 'too_many_requests_in_flight'],
  }),

  deleteAttributes: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/client/attribute/delete',
    scope: 'attributes:write',
    repeat: 'with-key',
    tag: 'Attributes',
    summary: 'Delete attributes',
    description:
      'Accepts 1 to 100 attributes to delete: names, numbers, or objects with one of the two. Unknown and system attributes, and those that something uses (see usage), are refused; this is checked again when they are deleted. Deleting a masked attribute needs the scope `unmasked` too (403). The name is free and the values are invisible at once; they are taken out of the contacts in the background.',
    body: DeleteAttributesBody,
    examples: deleteAttributesExamples,
    answer: AcceptedAnswer,
    failures: requestFailures['attribute.delete'],
  }),

  getAttributeUsage: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/client/attribute/usage',
    scope: 'attributes:read',
    repeat: 'harmless',
    tag: 'Attributes',
    summary: 'Show where attributes are used',
    description:
      'Answers for each attribute how many contacts have a value and what uses it: segments, the primary key, mappings, exports and imports that are not finished (a dry run does not count).',
    body: AttributeUsageBody,
    examples: attributeUsageExamples,
    answer: AttributeUsageAnswer,
    errors: ['too_many_searches', 'search_timeout'],
  }),
};
