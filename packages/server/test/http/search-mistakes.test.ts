import { scopes } from '@roster/contract';
import { describe, test } from 'vitest';
import {
  account,
  batch,
  expectAnswer,
  exports,
  find,
  group,
  service,
  v4,
  v5,
  v5AsReader,
  withService,
  type Mistake,
} from './mistakes.ts';

withService();

describe('contact search', () => {
  test.each<Mistake>([
    [
      'a filter on a masked attribute with a key without the scope unmasked',
      () =>
        v5AsReader('/contact/search', {
          filtering_criteria: [{ condition_details: [{ field: 'CARD', operation: 'is_not_null' }] }],
        }),
      '403 The caller does not have the scope unmasked. filtering_criteria[0].condition_details[0].field: CARD is masked. To filter by it, ask an owner of the account for the right to see unmasked values, or use an API key with the scope unmasked.',
    ],
    [
      'sorting by a masked attribute with a key without the scope unmasked',
      () => v5AsReader('/contact/search', { output: { sorting: [{ field: 'CARD' }] } }),
      '403 The caller does not have the scope unmasked. output.sorting[0].field: CARD is masked. To sort by it, ask an owner of the account for the right to see unmasked values, or use an API key with the scope unmasked.',
    ],
    [
      'a search inside data',
      () => v5('/contact/search', { data: { filtering_criteria: [] } }),
      '400 data: data is not a field here. Leave it out, and send what is inside it: filtering_criteria_operator, filtering_criteria, output, get_count.',
    ],
    [
      'several field names in one string',
      () => v5('/contact/search', { output: { fields: 'CITY,EMAIL' } }),
      '400 output.fields[0]: CITY,EMAIL is not a field. To name several fields, send an array: ["CITY", "AGE"].',
    ],
    [
      'a condition instead of a group',
      () => v5('/contact/search', { filtering_criteria: [{ field: 'CITY', operation: 'equals', value: ['Pune'] }] }),
      '400 filtering_criteria[0].field: field belongs inside condition_details[], not here. (and 3 more faults; see errors)',
    ],
    [
      'filter instead of filtering_criteria',
      () => v5('/contact/search', { filter: { field: 'CITY' } }),
      '400 filter: filter is not a field here. Did you mean filtering_criteria?',
    ],
    [
      'condition_details outside of filtering_criteria',
      () => v5('/contact/search', { condition_details: [] }),
      '400 condition_details: condition_details belongs inside filtering_criteria[], not here.',
    ],
    [
      'a misspelt field',
      () => find({ field: 'CITTY', operation: 'equals', value: ['Pune'] }),
      '400 filtering_criteria[0].condition_details[0].field: CITTY is not a field. Did you mean CITY?',
    ],
    [
      'an unknown field that resembles no known field',
      () => find({ field: 'SHOE_SIZE', operation: 'equals', value: [42] }),
      '400 filtering_criteria[0].condition_details[0].field: SHOE_SIZE is not a field. Send the name of an attribute of the account or of a field of contacts.',
    ],
    [
      'the category of another field',
      () => find({ field: 'CITY', field_category: 'config', operation: 'equals', value: ['Pune'] }),
      '400 filtering_criteria[0].condition_details[0].field_category must be attribute for this field, or left out',
    ],
    [
      'an unknown field category',
      () => find({ field: 'CITY', field_category: 'attributes', operation: 'equals', value: ['Pune'] }),
      '400 filtering_criteria[0].condition_details[0].field_category must be one of config, audience, attribute, derived, activity. Did you mean attribute?',
    ],
    [
      'the operation =',
      () => find({ field: 'CITY', operation: '=', value: ['Pune'] }),
      '400 filtering_criteria[0].condition_details[0].operation: = is not an operation of text fields. Did you mean equals? The operations of text fields are equals, not_equals, equals_ignore_case, not_equals_ignore_case, contains, not_contains, starts_with, ends_with, is_null, is_not_null.',
    ],
    [
      'the operation eq',
      () => find({ field: 'CITY', operation: 'eq', value: ['Pune'] }),
      '400 filtering_criteria[0].condition_details[0].operation: eq is not an operation of text fields. Did you mean equals? The operations of text fields are equals, not_equals, equals_ignore_case, not_equals_ignore_case, contains, not_contains, starts_with, ends_with, is_null, is_not_null.',
    ],
    [
      'the operation like',
      () => find({ field: 'CITY', operation: 'like', value: ['Pune'] }),
      '400 filtering_criteria[0].condition_details[0].operation: like is not an operation of text fields. Did you mean contains? The operations of text fields are equals, not_equals, equals_ignore_case, not_equals_ignore_case, contains, not_contains, starts_with, ends_with, is_null, is_not_null.',
    ],
    [
      'a misspelt operation with a space',
      () => find({ field: 'AGE', operation: 'GREATER THANN', value: [3] }),
      '400 filtering_criteria[0].condition_details[0].operation: GREATER THANN is not an operation of number fields. Did you mean greater_than? The operations of number fields are equals, not_equals, greater_than, greater_than_or_equal, less_than, less_than_or_equal, between, is_null, is_not_null.',
    ],
    [
      'the operation in',
      () => find({ field: 'CITY', operation: 'in', value: ['Pune'] }),
      '400 filtering_criteria[0].condition_details[0].operation: in is not an operation of text fields. Did you mean equals? The operations of text fields are equals, not_equals, equals_ignore_case, not_equals_ignore_case, contains, not_contains, starts_with, ends_with, is_null, is_not_null.',
    ],
    [
      'the operation exists',
      () => find({ field: 'CITY', operation: 'exists' }),
      '400 filtering_criteria[0].condition_details[0].operation: exists is not an operation of text fields. Did you mean is_not_null? The operations of text fields are equals, not_equals, equals_ignore_case, not_equals_ignore_case, contains, not_contains, starts_with, ends_with, is_null, is_not_null.',
    ],
    [
      'an operation that the type of the field does not have',
      () => find({ field: 'AGE', operation: 'contains', value: ['3'] }),
      '400 filtering_criteria[0].condition_details[0].operation: contains is not an operation of number fields. The operations of number fields are equals, not_equals, greater_than, greater_than_or_equal, less_than, less_than_or_equal, between, is_null, is_not_null.',
    ],
    [
      'a missing operation',
      () => find({ field: 'CITY', value: ['Pune'] }),
      '400 filtering_criteria[0].condition_details[0].operation is required',
    ],
    [
      'a missing value',
      () => find({ field: 'CITY', operation: 'equals' }),
      '400 filtering_criteria[0].condition_details[0].value must have at least one value for the operation equals',
    ],
    [
      'values instead of value',
      () => find({ field: 'CITY', operation: 'equals', values: ['Pune'] }),
      '400 filtering_criteria[0].condition_details[0].values: values is not a field here. Did you mean value? (and 1 more fault; see errors)',
    ],
    [
      'a value for is_null',
      () => find({ field: 'CITY', operation: 'is_null', value: ['Pune'] }),
      '400 filtering_criteria[0].condition_details[0].value must be left out for the operation is_null',
    ],
    [
      'only one value for between',
      () => find({ field: 'AGE', operation: 'between', value: [3] }),
      '400 filtering_criteria[0].condition_details[0].value must have exactly two values, with the smaller value first, for the operation between',
    ],
    [
      'null as the value',
      () => find({ field: 'CITY', operation: 'equals', value: [null] }),
      '400 filtering_criteria[0].condition_details[0].value[0] must not be null. Use the operation is_null to find contacts without a value.',
    ],
    [
      'a word instead of a number',
      () => find({ field: 'AGE', operation: 'equals', value: ['young'] }),
      '400 filtering_criteria[0].condition_details[0].value[0] must be a number, such as 30',
    ],
    [
      'a date in words',
      () => find({ field: 'BORN', operation: 'equals', value: ['31 January 2026'] }),
      '400 filtering_criteria[0].condition_details[0].value[0] must be a date, such as 2026-01-31, or a relative date, such as today, -30 days or this month',
    ],
    [
      'a date and time without an offset',
      () => find({ field: 'created_at', operation: 'greater_than', value: ['2026-01-31 09:00'] }),
      '400 filtering_criteria[0].condition_details[0].value[0] must be a date, such as 2026-01-31, a date and time with its offset from UTC, such as 2026-01-31T09:00:00Z, or a relative date, such as today, -30 days or this month',
    ],
    [
      'a date and time as a number',
      () => find({ field: 'created_at', operation: 'greater_than', value: [1769850000] }),
      '400 filtering_criteria[0].condition_details[0].value[0] must be a date, such as 2026-01-31, a date and time with its offset from UTC, such as 2026-01-31T09:00:00Z, or a relative date, such as today, -30 days or this month',
    ],
    [
      'an unknown contact type',
      () => find({ field: 'contact_type', operation: 'equals', value: ['confirm'] }),
      '400 filtering_criteria[0].condition_details[0].value[0] must be one of anonymous, identified, unconfirmed, confirmed, blacklisted. Did you mean confirmed?',
    ],
    [
      'the name of a list instead of its number',
      () => find({ field: 'list_id', operation: 'equals', value: ['News'] }),
      '400 filtering_criteria[0].condition_details[0].value[0] must be an integer, not a string, for example 1. Send the audience_id of the list, not its name.',
    ],
    [
      'a list that does not exist',
      () => find({ field: 'list_id', operation: 'equals', value: [4711] }),
      '400 filtering_criteria[0].condition_details[0].value[0]: The account has no list with this audience_id.',
    ],
    [
      'two groups without an operator',
      () => v5('/contact/search', { filtering_criteria: [group, group] }),
      '400 filtering_criteria_operator is required when there is more than one group',
    ],
    [
      'an unknown condition_operator',
      () => v5('/contact/search', { filtering_criteria: [{ ...group, condition_operator: 'not' }] }),
      '400 filtering_criteria[0].condition_operator must be one of and, or',
    ],
    [
      'pagination outside of output',
      () => v5('/contact/search', { pagination: { limit: 10 } }),
      '400 pagination: pagination belongs inside output, not here.',
    ],
    [
      'a limit of 5000',
      () => v5('/contact/search', { output: { pagination: { limit: 5000 } } }),
      '400 output.pagination.limit must be an integer from 1 to 1000',
    ],
    [
      'page 0',
      () => v5('/contact/search', { output: { pagination: { page: 0 } } }),
      '400 output.pagination.page must be an integer from 1 to 100000000',
    ],
    [
      'a word instead of a page number',
      () => v5('/contact/search', { output: { pagination: { page: 'first' } } }),
      '400 output.pagination.page must be an integer, not a string, for example 1',
    ],
    [
      'offset in pagination',
      () => v5('/contact/search', { output: { pagination: { offset: 20 } } }),
      '400 output.pagination.offset: offset is not a field here. The fields are page, limit, cursor.',
    ],
    [
      'a cursor together with a page',
      () => v5('/contact/search', { output: { pagination: { page: 2, cursor: 'abc' } } }),
      '400 output.pagination.cursor must not be given together with page. Leave one of them out. (and 1 more fault; see errors)',
    ],
    [
      'an invented cursor',
      () => v5('/contact/search', { output: { pagination: { cursor: 'abc' } } }),
      '400 output.pagination.cursor must be the next_cursor of an earlier response, unchanged',
    ],
    [
      'order instead of direction',
      () => v5('/contact/search', { output: { sorting: [{ field: 'created_at', order: 'desc' }] } }),
      '400 output.sorting[0].order: order is not a field here. Did you mean direction?',
    ],
    [
      'descending instead of desc',
      () => v5('/contact/search', { output: { sorting: [{ field: 'created_at', direction: 'descending' }] } }),
      '400 output.sorting[0].direction must be one of asc, desc. Did you mean desc?',
    ],
    [
      'the field of activities in sorting',
      () => v5('/contact/search', { output: { sorting: [{ field: 'activity' }] } }),
      '400 output.sorting[0].field: activity is not a field. Send the name of an attribute of the account or of a field of contacts.',
    ],
    [
      'the field of activities in the output',
      () => v5('/contact/search', { output: { fields: ['activity'] } }),
      '400 output.fields[0]: activity is not a field. Send the name of an attribute of the account or of a field of contacts.',
    ],
    [
      'a misspelt field of activities in a condition',
      () =>
        v5('/contact/search', {
          filtering_criteria: [{ condition_details: [{ field: 'activty', operation: 'never' }] }],
        }),
      '400 filtering_criteria[0].condition_details[0].field: activty is not a field. Did you mean activity?',
    ],
    [
      'a field name instead of an object in sorting',
      () => v5('/contact/search', { output: { sorting: ['created_at'] } }),
      '400 output.sorting[0] must be an object, not a string, for example {"field":"created_at"}',
    ],
    [
      'sorting by a misspelt field',
      () => v5('/contact/search', { output: { sorting: [{ field: 'createdat' }] } }),
      '400 output.sorting[0].field: createdat is not a field. Did you mean created_at?',
    ],
    [
      'sorting by list_id',
      () => v5('/contact/search', { output: { sorting: [{ field: 'list_id' }] } }),
      '400 output.sorting[0].field cannot be sorted by, because a field of the type list has no order',
    ],
    [
      'a misspelt output field',
      () => v5('/contact/search', { output: { fields: ['FIRSTNAME'] } }),
      '400 output.fields[0]: FIRSTNAME is not a field. Did you mean FIRST_NAME?',
    ],
    [
      'segment_id in the output',
      () => v5('/contact/search', { output: { fields: ['segment_id'] } }),
      '400 output.fields[0] cannot be in the output. Use segment_id in a filter only.',
    ],
    [
      'an object for fields',
      () => v5('/contact/search', { output: { fields: { EMAIL: true } } }),
      '400 output.fields[0] must be a string, not an object, for example "EMAIL"',
    ],
  ])('explains this mistake: %s', expectAnswer);
});

describe('audience search', () => {
  test.each<Mistake>([
    [
      'a segment without its number',
      () => v5('/contact/audience/search', { audience_type: 'segment' }),
      '400 audience_id is required together with audience_type',
    ],
    [
      'a missing audience',
      () => v5('/contact/audience/search', {}),
      '400 audience_type is required. Send audience_type and audience_id, or an equals condition on list_id or segment_id that every match must meet. (and 1 more fault; see errors)',
    ],
    [
      'an audience that does not exist',
      () => v5('/contact/audience/search', { audience_type: 'list', audience_id: 4711 }),
      '400 audience_id[0]: The account has no list with this audience_id.',
    ],
    [
      'audience_details around the audience',
      () => v5('/contact/audience/search', { audience_details: { audience_type: 'list', audience_id: 1 } }),
      '400 audience_details: audience_details is not a field here. The fields are audience_type, audience_id, filtering_criteria_operator, filtering_criteria, output, get_count. (and 2 more faults; see errors)',
    ],
  ])('explains this mistake: %s', expectAnswer);
});

describe('audience export', () => {
  test.each<Mistake>([
    [
      'several misspelt attributes',
      () => exports({ attributes_needed: ['FIRSTNAME', 'CITTY', 'SHOE_SIZE'] }),
      '400 audience_details.attributes_needed[0]: FIRSTNAME is not a field. Did you mean FIRST_NAME? attributes_needed[1]: CITTY is not a field. Did you mean CITY? attributes_needed[2]: SHOE_SIZE is not a field. Send the name of an attribute of the account or of a field of contacts.',
    ],
    [
      'a long text attribute',
      () => exports({ attributes_needed: ['STORY'] }),
      '400 audience_details.attributes_needed[0]: STORY is a long text. Long texts cannot be exported. Leave it out.',
    ],
    [
      'several attributes that cannot be exported for different reasons',
      () => exports({ attributes_needed: ['CITY', 'STORY', 'CITTY', 'list_id'] }),
      '400 audience_details.attributes_needed[1]: STORY is a long text. Long texts cannot be exported. Leave it out. attributes_needed[2]: CITTY is not a field. Did you mean CITY? attributes_needed[3]: list_id is not a value of a contact and cannot be exported. Leave it out.',
    ],
    [
      'an array of list numbers',
      () => exports({ audience_id: [1, 2] }),
      '400 audience_details.audience_id must be an integer, not an array, for example 1',
    ],
    [
      'the number of a list that does not exist',
      () => exports({ audience_id: 4711 }),
      '400 audience_details.audience_id: The account has no list with this audience_id.',
    ],
    [
      'an unknown blocklist',
      () => exports({ blocklist_type: 'sms' }),
      '400 audience_details.blocklist_type must be one of email, mobile, phone',
    ],
    [
      'blocklist_type outside of audience_details',
      () => exports({}, { blocklist_type: 'email' }),
      '400 blocklist_type: blocklist_type belongs inside audience_details, not here.',
    ],
    ['the file type xlsx', () => exports({}, { file_type: 'xlsx' }), '400 file_type must be "csv"'],
    [
      'missing callback_details',
      () => exports({}, { callback_details: undefined }),
      '400 callback_details is required. Send {"endpoint": "https://…"}, or {} for an export without a callback.',
    ],
    [
      'an endpoint without https',
      () => exports({}, { callback_details: { endpoint: 'hooks.example.test/x' } }),
      '400 callback_details.endpoint must be a whole URL that begins with https://, such as https://hooks.example.com/roster',
    ],
    [
      'an endpoint on plain HTTP',
      () => exports({}, { callback_details: { endpoint: 'http://hooks.example.test/x' } }),
      '400 callback_details.endpoint must begin with https://. An operator can allow plain HTTP to a host with ROSTER_CALLBACK_ALLOW.',
    ],
    [
      'an endpoint with a private address',
      () => exports({}, { callback_details: { endpoint: 'https://10.0.0.1/x' } }),
      '400 callback_details.endpoint must not lead to a private or reserved address. An operator can allow the host with ROSTER_CALLBACK_ALLOW.',
    ],
    [
      'url instead of endpoint',
      () => exports({}, { callback_details: { url: 'https://hooks.example.test/x' } }),
      '400 callback_details.url: url is not a field here. Did you mean endpoint?',
    ],
    [
      'a callback header as a string',
      () => exports({}, { callback_details: { header: 'X-Token: secret' } }),
      '400 callback_details.header[0] must be an object, not a string, for example {"X-Token":"secret"}',
    ],
    [
      'a callback header name with spaces',
      () => exports({}, { callback_details: { header: [{ 'X Token': 'secret' }] } }),
      '400 callback_details.header[0].X Token must have a header name of letters, digits and -, such as X-Api-Token',
    ],
    [
      'a callback header that Roster sets itself',
      () => exports({}, { callback_details: { header: [{ Host: 'x.test' }] } }),
      '400 callback_details.header[0].Host must be left out, because Roster sets the header host itself',
    ],
    [
      'an unsupported callback method',
      () => exports({}, { callback_details: { method: 'DELETE' } }),
      '400 callback_details.method must be one of POST, PUT, PATCH, GET',
    ],
    [
      'two e-mail addresses in notify_email',
      () => exports({}, { notify_email: 'a@example.test, b@example.test' }),
      '400 notify_email must be one e-mail address, such as asha@example.com',
    ],
    [
      'audience_id outside of audience_details',
      () => v4({ audience_type: 'list', audience_id: 1, callback_details: {} }),
      '400 audience_details is required: audience_type and audience_id belong inside audience_details, as in {"audience_details": {"audience_type": …}}',
    ],
  ])('explains this mistake: %s', expectAnswer);
});

describe('batch add', () => {
  test.each<Mistake>([
    ['listid as a string', () => batch({ listid: '1' }), '400 listid should be of type integer'],
    ['a list that does not exist', () => batch({ listid: 4711 }), '400 listid does not exist'],
    ['data as an object', () => batch({ data: { EMAIL: 'asha@example.com' } }), '400 data should be of type array'],
    ['an empty data array', () => batch({ data: [] }), '400 data should have at least one contact'],
    [
      'another primary key',
      () => batch({ primarykey: 'mobile' }),
      '400 primarykey does not match the primary key of the panel',
    ],
    [
      'a missing notifyemail',
      () => batch({ notifyemail: undefined }),
      '400 callbackurl or notifyemail is mandatory and should be string',
    ],
    [
      'a notifyemail without a domain',
      () => batch({ notifyemail: 'asha' }),
      '400 notifyemail should be an e-mail address, such as asha@example.com',
    ],
    [
      'a callbackurl without https',
      () => batch({ callbackurl: 'hooks.example.test' }),
      '400 callbackurl should be a URL that begins with https:// or http://',
    ],
    [
      'an array as the body',
      () => service.call('POST', '/v3/contact/batchadd', { body: [], headers: { 'api-key': account.apiKey } }),
      '400 the body should be a JSON object',
    ],
    [
      '1001 contacts',
      () => batch({ data: Array.from({ length: 1001 }, () => ({})) }),
      '400 you have exceeded the batch limit of 1000',
    ],
    [
      'a trailing comma',
      () =>
        service.call('POST', '/v3/contact/batchadd', {
          body: '{"listid": 1,}',
          headers: { 'api-key': account.apiKey },
        }),
      '400 The body is not valid JSON: there is a syntax error at character 13. Remove the comma before it',
    ],
  ])('explains this mistake: %s', expectAnswer);
});

describe('the operator API', () => {
  test.each<Mistake>([
    ['a list without a name', () => account.operator('POST', '/lists', {}), '400 name is required'],
    [
      'title instead of name',
      () => account.operator('POST', '/lists', { title: 'News' }),
      '400 title: title is not a field here. Did you mean name? (and 1 more fault; see errors)',
    ],
    [
      'a misspelt setting',
      () => service.operator('PATCH', '/accounts/1', { settings: { daily_batch_limits: 3 } }),
      '400 settings.daily_batch_limits: daily_batch_limits is not a field here. Did you mean daily_batch_limit?',
    ],
    [
      'a setting outside of settings',
      () => service.operator('PATCH', '/accounts/1', { daily_batch_limit: 3 }),
      '400 daily_batch_limit: daily_batch_limit belongs inside settings, not here.',
    ],
    [
      'an update without a field',
      () => service.operator('PATCH', '/accounts/1', {}),
      '400 The request needs at least one of the fields name, primary_key, time_zone, settings',
    ],
    [
      'an offset instead of a time zone name',
      () => service.operator('PATCH', '/accounts/1', { time_zone: '+05:30' }),
      '400 time_zone: +05:30 is not a time zone. Use the IANA name of a zone, an area and a place, such as Asia/Kolkata or Europe/Berlin, or UTC.',
    ],
    [
      'a misspelt scope',
      () => account.operator('POST', '/api-keys', { name: 'k', scopes: ['contact:read'] }),
      `400 scopes[0] must be one of ${scopes.join(', ')}. Did you mean contacts:read?`,
    ],
    [
      'an API key with an expiry in the past',
      () => account.operator('POST', '/api-keys', { name: 'k', expires_at: '2020-01-01T00:00:00Z' }),
      '400 expires_at must be in the future',
    ],
    [
      'an expiry without a time',
      () => account.operator('POST', '/api-keys', { name: 'k', expires_at: '2030-01-01' }),
      '400 expires_at must be a date and time with its offset from UTC (RFC 3339), such as 2026-01-31T09:00:00Z',
    ],
    [
      'a segment without a filter',
      () => account.operator('POST', '/segments', { name: 'S' }),
      '400 filtering_criteria is required',
    ],
    ['an account that does not exist', () => service.operator('GET', '/accounts/4711'), '404 There is no account 4711'],
    [
      'a name instead of an account number',
      () => service.operator('GET', '/accounts/acme'),
      '404 There is no account with this account_id, which is a number',
    ],
    [
      'an unknown query parameter',
      () => service.operator('GET', '/accounts?page=2'),
      '400 page: page is not a field here. The fields are limit, cursor.',
    ],
    [
      'an unknown status of exports',
      () => account.operator('GET', '/exports?status=done'),
      '400 status must be one of accepted, running, completed, failed, cancelled, expired',
    ],
    [
      'an unknown value of unknown_columns',
      () => account.operator('POST', '/imports', { unknown_columns: 'ignore' }),
      '400 unknown_columns must be one of refuse, skip, create',
    ],
    [
      'an activity outside of data',
      () => account.operator('POST', '/activities', { identity: 'a@example.com' }),
      '400 data is required: identity belongs inside data, as in {"data": [{"identity": …}]}',
    ],
    [
      'an unknown kind of activity',
      () =>
        account.operator('POST', '/activities', {
          data: [
            { identity: 'a@example.com', channel: 'email', activity: 'opened', occurred_at: '2026-01-31T09:00:00Z' },
          ],
        }),
      '400 data[0].activity must be one of sent, delivered, open, click, bounce, unsubscribe, spam. Did you mean open?',
    ],
  ])('explains this mistake: %s', expectAnswer);
});
