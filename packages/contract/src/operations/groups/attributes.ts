import {
  OperatorAttribute,
  UpdateOperatorAttributeBody,
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
import {
  AttributeValues,
  AttributeValuesQuery,
  exactlyCountedContacts,
  sampledContacts,
} from '../../shapes/contacts/attribute-values.ts';
import { acceptedExamples } from '../definition/accepted-answers.ts';
import { operation } from '../definition/operation.ts';
import { requestFailures } from '../definition/request-failures.ts';

/** Example bodies of attribute create. A test sends each of them. */
const createAttributesExamples = {
  one: {
    summary: 'A text with a default',
    value: {
      data: [{ name: 'CUSTOMER_TIER', category: 'custom', data_type: 'text', default_value: 'bronze' }],
    },
  },
  several: {
    summary: 'Several: one is masked, one is mapped to a system attribute',
    value: {
      data: [
        { name: 'LIFETIME_VALUE', category: 'transaction', data_type: 'number', default_value: 0 },
        { name: 'PASSPORT_NUMBER', category: 'profile', data_type: 'text', data_masking: 'partial' },
        { name: 'HOME_TOWN', category: 'location', data_type: 'text', mapping: 'CITY' },
      ],
    },
  },
};

/** Example bodies of attribute search. */
const searchAttributesExamples = {
  all: { summary: 'All attributes', value: { output: { pagination: { page: 1, limit: 100 } } } },
  partialName: {
    summary: 'By part of the name, and by data type',
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

/** Example bodies of attribute update. */
const updateAttributesExamples = {
  mask: { summary: 'Mask an attribute', value: { data: [{ name: 'POSTAL_CODE', data_masking: 'partial' }] } },
  default: {
    summary: 'Set a default and another category',
    value: { data: [{ name: 'LANGUAGE', default_value: 'en', category: 'profile' }] },
  },
  rename: {
    summary: 'Rename an attribute. Its values and segments stay.',
    value: { data: [{ name: 'CUSTOMER_TIER', new_name: 'LOYALTY_TIER' }] },
  },
  several: {
    summary: 'Remove a mapping and turn a number into text, both or neither',
    value: {
      data: [
        { name: 'HOME_TOWN', mapping: null },
        { name: 'LIFETIME_VALUE', data_type: 'text' },
      ],
    },
  },
};

/** Example bodies of attribute delete. */
const deleteAttributesExamples = {
  byName: { summary: 'By name', value: { data: ['LOYALTY_TIER'] } },
  byNameObject: { summary: 'By name, as an object', value: { data: [{ name: 'LIFETIME_VALUE' }] } },
};

/** Example bodies of attribute usage. */
const attributeUsageExamples = {
  byName: { summary: 'Two attributes', value: { data: ['CITY', 'LANGUAGE'] } },
};

/** Attributes, and the indexes on their values. */
export const attributeOperations = {
  listAttributes: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/attributes',
    permission: 'attributes:read',
    repeat: 'harmless',
    tag: 'Attribute indexes',
    summary: 'List the attributes',
    description: 'Returns the attributes of the account, ordered by `id`, with the state of their indexes.',
    query: PageQuery,
    answer: pageAnswer('OperatorAttribute'),
  }),

  getAttribute: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/attributes/{attribute_id}',
    permission: 'attributes:read',
    repeat: 'harmless',
    tag: 'Attribute indexes',
    summary: 'Get an attribute',
    description: 'Returns one attribute with the state of its index.',
    answer: OperatorAttribute,
  }),

  indexAttribute: operation({
    generation: 'operator',
    method: 'PATCH',
    path: '/admin/v1/accounts/{account_id}/attributes/{attribute_id}',
    permission: 'attributes:write',
    repeat: 'harmless',
    tag: 'Attribute indexes',
    summary: 'Add or remove the index of an attribute',
    description: `Adds or removes an index on the values of an attribute. An index makes ranges, sorting, counts, \`contains\`, \`starts_with\` and \`ends_with\` fast. Equality is fast without an index. The index is built in the background, without blocking reads or writes, and is used when it is \`ready\`. Every index slows down writes, so an account can have up to ${indexedAttributesPerAccount}. The primary key and attributes of the type \`long_text\` are refused.`,
    body: UpdateOperatorAttributeBody,
    examples: { index: { summary: 'Add an index', value: { indexed: true } } },
    answer: OperatorAttribute,
    errors: ['conflict'],
  }),

  listAttributeValues: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/attributes/{attribute_id}/values',
    permission: 'contacts:read',
    repeat: 'harmless',
    tag: 'Attribute indexes',
    summary: 'List the most frequent values of an attribute',
    description: `Returns the most frequent values of an attribute with the number of contacts, for example as suggestions for a filter. For a masked attribute, it also needs the permission \`unmasked\`. The numbers are exact up to ${exactlyCountedContacts.toLocaleString('en')} contacts. Those of a larger account are estimated from ${sampledContacts.toLocaleString('en')} contacts, unless the index of the attribute finds the values that begin with \`contains\`. The primary key and attributes of the type \`long_text\` are refused.`,
    query: AttributeValuesQuery,
    answer: AttributeValues,
    errors: ['missing_permission', 'too_many_searches', 'search_timeout'],
  }),

  createAttributes: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/client/attribute/create',
    permission: 'attributes:write',
    repeat: 'with-key',
    tag: 'Attributes',
    summary: 'Create attributes',
    description: [
      'Accepts 1 to 100 attributes. All requests of an account are applied in the order of acceptance, so contacts that you send next can use the attributes. An attribute whose name exists fails with `attribute_exists`. The others are created.',
      'An account has up to 500 attributes. A request that would exceed this limit is refused as a whole. If other changes of attributes are waiting, the request is accepted, and only the attributes above the limit fail, with `attribute_count`.',
      'The name can have belonged to a masked attribute before. Then the new attribute needs a mask that hides as much, or the API key needs the scope `unmasked`. Otherwise the answer is 403.',
    ].join('\n\n'),
    body: CreateAttributesBody,
    examples: createAttributesExamples,
    answer: AcceptedAnswer,
    answerExamples: acceptedExamples,
    waits: true,
    failures: requestFailures['attribute.create'],
  }),

  searchAttributes: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/client/attribute/search',
    permission: 'attributes:read',
    repeat: 'harmless',
    tag: 'Attributes',
    summary: 'Search attributes',
    description: [
      'Returns the attributes that match, or all attributes without a filter.',
      '- Conditions: `name` supports `equals`, `contains` and `starts_with`, in any letter case. `entity_type`, `data_type` and `category` support `equals`.\n- Sorting: by `name`, or by the fields of `output.sorting`: `id`, `name`, `entity_type`, `data_type`, `category`, `created_at`, `updated_at`.\n- Pages: only `page`. There are no cursors.\n- `output.fields` is ignored. A record is always complete.',
      'A condition that the service does not understand is never dropped. The request returns 400.',
    ].join('\n\n'),
    body: SearchAttributesBody,
    examples: searchAttributesExamples,
    answer: SearchAttributesAnswer,
  }),

  updateAttributes: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/client/attribute/update',
    permission: 'attributes:write',
    repeat: 'with-key',
    tag: 'Attributes',
    summary: 'Update attributes',
    description: [
      'Changes 1 to 100 attributes, all or none. Returns the changed attributes in the order of the request. An attribute that another request deletes at the same moment is missing in the answer.',
      'Order: contacts that were accepted before the update are applied with the old attributes. Contacts that are accepted after the answer are applied with the new ones.',
      'Waiting: the call waits for the earlier requests of the account, up to 30 s. Then it returns 503 (`pipeline_busy`), and nothing is changed. An API process works on ten updates of an account at the same time. An update that does not get a place within the 30 s returns 503, too.',
      'Rename: every value, segment and mapping stays. A rename is refused while an unfinished import writes the attribute. A dry run does not count.',
      'Data type: a change to `text`, and a change from `text` to `long_text`, keep the values. Any other change is possible only while no contact has a value and nothing uses the attribute. A refusal is 400 and names what uses the attribute.',
      'Masks: the scope `unmasked` is needed to rename a masked attribute or to make a mask weaker. It is also needed to change a mapping so that a name is masked less. Without the scope, the answer is 403.',
    ].join('\n\n'),
    body: UpdateAttributesBody,
    examples: updateAttributesExamples,
    answer: UpdateAttributesAnswer,
    errors: ['pipeline_busy', 'too_many_requests_in_flight'],
  }),

  deleteAttributes: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/client/attribute/delete',
    permission: 'attributes:write',
    repeat: 'with-key',
    tag: 'Attributes',
    summary: 'Delete attributes',
    description: [
      'Accepts 1 to 100 attributes to delete. Name each by its name, its number, or an object with one of the two.',
      'Unknown attributes, system attributes and attributes in use are refused. **Show where attributes are used** lists the uses. This is checked again when the request is applied. Deleting a masked attribute needs the scope `unmasked`. Without the scope, the answer is 403.',
      'When the request is applied, the name is free and the values are hidden at once. The values are removed from the contacts in the background.',
    ].join('\n\n'),
    body: DeleteAttributesBody,
    examples: deleteAttributesExamples,
    answer: AcceptedAnswer,
    answerExamples: acceptedExamples,
    waits: true,
    failures: requestFailures['attribute.delete'],
  }),

  getAttributeUsage: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/client/attribute/usage',
    permission: 'attributes:read',
    repeat: 'harmless',
    tag: 'Attributes',
    summary: 'Show where attributes are used',
    description:
      'Returns, for each attribute, how many contacts have a value and what uses it: segments, the primary key, mappings, and unfinished exports and imports. A dry run of an import does not count.',
    body: AttributeUsageBody,
    examples: attributeUsageExamples,
    answer: AttributeUsageAnswer,
    errors: ['too_many_searches', 'search_timeout'],
  }),
};
