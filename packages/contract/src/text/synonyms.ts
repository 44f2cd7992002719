/**
 * Words of other products for names of the contract, in lower case. A request that uses one is
 * refused. The message then suggests the name of the contract.
 */
export const synonyms: ReadonlyMap<string, readonly string[]> = new Map([
  // Operations of filters.
  ['equals', ['=', '==', '===', 'eq', 'is', 'in', 'any_of', 'one_of', 'equal_to']],
  ['not_equals', ['!=', '<>', '!==', 'ne', 'neq', 'is_not', 'not', 'not_in', 'nin', 'none_of', 'not_equal_to']],
  ['contains', ['like', 'ilike', 'includes', 'matches']],
  ['not_contains', ['not_like', 'excludes', 'does_not_contain']],
  ['starts_with', ['begins_with', 'prefix']],
  ['ends_with', ['suffix']],
  ['greater_than', ['>', 'gt', 'after', 'more_than']],
  ['greater_than_or_equal', ['>=', 'gte', 'ge', 'at_least']],
  ['less_than', ['<', 'lt', 'before']],
  ['less_than_or_equal', ['<=', 'lte', 'le', 'at_most']],
  ['between', ['range']],
  ['is_null', ['empty', 'is_empty', 'not_exists', 'blank', 'null', 'missing', 'not_set']],
  ['is_not_null', ['exists', 'not_empty', 'is_not_empty', 'has_value', 'not_null', 'is_set']],
  // Data types.
  ['text', ['string', 'str', 'varchar', 'char']],
  ['number', ['int', 'integer', 'float', 'double', 'decimal', 'numeric', 'bigint', 'long']],
  ['boolean', ['bool', 'flag', 'checkbox']],
  ['datetime', ['timestamp', 'date_time', 'moment']],
  ['long_text', ['textarea', 'clob']],
  // Keys of requests.
  ['direction', ['order', 'sort_order']],
  ['sorting', ['sort', 'order_by', 'sort_by']],
  ['limit', ['size', 'page_size', 'per_page', 'count']],
  ['page', ['page_number', 'page_no']],
  ['operation', ['operator', 'op', 'comparator']],
  ['filtering_criteria', ['where', 'query']],
  ['attributes', ['custom_fields', 'properties', 'custom_attributes', 'fields']],
  ['attributes_needed', ['columns', 'attributes', 'fields']],
  ['contact_id', ['id']],
  ['mobile', ['phone', 'phone_number', 'msisdn']],
  ['audience_details', ['lists', 'list_ids']],
  ['subscriptions', ['opt_ins', 'opt_outs', 'consents', 'consent']],
  ['endpoint', ['url', 'callback_url', 'address', 'uri']],
  ['name', ['title', 'label']],
  ['data_type', ['type']],
  ['data_masking', ['masking', 'mask']],
  ['occurred_at', ['timestamp', 'time', 'date', 'event_time']],
  ['primary_key', ['identity', 'email', 'mobile', 'customer_id']],
]);
