import { describe, test } from 'vitest';
import {
  account,
  activity,
  apiv2,
  asha,
  create,
  expectAnswer,
  service,
  v5,
  type Mistake,
  withService,
} from './mistakes.ts';

withService();

describe('contact create', () => {
  test.each<Mistake>([
    [
      'contacts without the wrapper data',
      () => v5('/contact/create', { contact_type: 'identified', contacts: [asha] }),
      '400 data is required: contact_type and contacts belong inside data, as in {"data": {"contact_type": …}}',
    ],
    [
      'a contact as the whole body',
      () => v5('/contact/create', asha),
      '400 data is required: identity belongs inside data.contacts[]',
    ],
    [
      'an array as the body',
      () => v5('/contact/create', [asha]),
      '400 The request must be an object, not an array, for example {"data":{"contact_type":"identified","contacts":[{"identity":"asha@example.com"}]}}',
    ],
    [
      'the fields of one contact directly in data',
      () => v5('/contact/create', { data: { contact_type: 'identified', ...asha } }),
      '400 data.contacts is required: identity belongs inside contacts, as in {"contacts": [{"identity": …}]}',
    ],
    [
      'data as an array',
      () => v5('/contact/create', { data: [asha] }),
      '400 data must be an object, not an array, for example {"contact_type":"identified","contacts":[{"identity":"asha@example.com"}]}',
    ],
    [
      'a missing contact type',
      () => v5('/contact/create', { data: { contacts: [asha] } }),
      '400 data.contact_type is required and must be one of identified, anonymous',
    ],
    [
      'a contact type that only exists in searches',
      () => v5('/contact/create', { data: { contact_type: 'confirmed', contacts: [asha] } }),
      '400 data.contact_type must be one of identified, anonymous',
    ],
    [
      'a contact without its identity',
      () => create({ email: 'asha@example.com' }),
      '400 data.contacts[0].identity is required. Send the value of the primary key of the account.',
    ],
    [
      'attributes as an array',
      () => create({ ...asha, attributes: [{ CITY: 'Pune' }] }),
      '400 data.contacts[0].attributes must be an object, not an array, for example {"FIRST_NAME":"Asha","CITY":"Pune","AGE":31}',
    ],
    [
      'an array as the value of an attribute',
      () => create({ ...asha, attributes: { CITY: ['Pune'] } }),
      '400 data.contacts[0].attributes.CITY must be a string, number, boolean or null, not an array',
    ],
    [
      'Email inside attributes',
      () => create({ ...asha, attributes: { Email: 'asha@example.com' } }),
      '400 data.contacts[0].attributes.Email must not be inside attributes. Send it as the field email or mobile of the contact.',
    ],
    [
      'an e-mail address without a domain',
      () => create({ ...asha, email: 'asha' }),
      '400 data.contacts[0].email must be an e-mail address of at most 254 characters, such as asha@example.com',
    ],
    [
      'a blank e-mail address',
      () => create({ ...asha, email: '' }),
      '400 data.contacts[0].email must not be blank. Send null to clear the field, or leave it out.',
    ],
    [
      'a mobile number with too few digits',
      () => create({ ...asha, mobile: '98-12' }),
      '400 data.contacts[0].mobile must be 6 to 15 digits with the country code, such as 919812345678',
    ],
    [
      'a boolean as the identity',
      () => create({ identity: true }),
      '400 data.contacts[0].identity must be a string or a number, not a boolean',
    ],
    [
      'a numeric identity with too many digits',
      () =>
        v5('/contact/create', '{"data":{"contact_type":"identified","contacts":[{"identity":91981234567812345678}]}}'),
      '400 data.contacts[0].identity is a number with too many digits to be read exactly. Send it as a string.',
    ],
    [
      'the name of a list instead of its number',
      () => create({ ...asha, audience_details: [{ audience_id: ['News'] }] }),
      '400 data.contacts[0].audience_details[0].audience_id[0] must be an integer, not a string, for example 1. Send the audience_id of the list, not its name.',
    ],
    [
      'a list number instead of an object in audience_details',
      () => create({ ...asha, audience_details: [12] }),
      '400 data.contacts[0].audience_details[0] must be an object, not a number, for example {"audience_id":[1]}',
    ],
    [
      'the action remove',
      () => create({ ...asha, audience_details: [{ audience_id: [1], action: 'remove' }] }),
      '400 data.contacts[0].audience_details[0].action must be "add". Use contact update to remove contacts from lists.',
    ],
    [
      'a segment as the audience',
      () => create({ ...asha, audience_details: [{ audience_id: [1], audience_type: 'segment' }] }),
      '400 data.contacts[0].audience_details[0].audience_type must be "list"',
    ],
    [
      '1001 contacts',
      () => create(...Array.from({ length: 1001 }, () => asha)),
      '400 data.contacts must have at most 1000 items, but has 1001',
    ],
    ['an empty array of contacts', () => create(), '400 data.contacts must have at least 1 item'],
    [
      'a contact type in a contact',
      () => create({ ...asha, contact_type: 'anonymous' }),
      '400 data.contacts[0].contact_type must not be inside a contact. Send it once for the whole request, as data.contact_type.',
    ],
    [
      'an unknown channel in subscriptions',
      () => create({ ...asha, subscriptions: { push: false } }),
      '400 data.contacts[0].subscriptions.push: push is not a field here. The fields are email, sms, whatsapp.',
    ],
    [
      'a word instead of a boolean in subscriptions',
      () => create({ ...asha, subscriptions: { email: 'no' } }),
      '400 data.contacts[0].subscriptions.email must be true or false, not a string',
    ],
  ])('explains this mistake: %s', expectAnswer);
});

describe('contact update', () => {
  test.each<Mistake>([
    [
      'no identifier',
      () => v5('/contact/update', { data: { contacts: [{ attributes: { CITY: 'Pune' } }] } }),
      '400 data.contacts[0] needs contact_id, identity, email or mobile to find the contact',
    ],
    [
      'an attribute outside of attributes',
      () => v5('/contact/update', { data: { contacts: [{ identity: 'a@example.com', city: 'Pune' }] } }),
      '400 data.contacts[0].city: city is not a field here. The fields are contact_id, identity, email, mobile, attributes, audience_details, subscriptions.',
    ],
    [
      'id instead of contact_id',
      () => v5('/contact/update', { data: { contacts: [{ id: 7, attributes: {} }] } }),
      '400 data.contacts[0].id: id is not a field here. Did you mean contact_id? (and 1 more fault; see errors)',
    ],
  ])('explains this mistake: %s', expectAnswer);
});

describe('contact delete', () => {
  test.each<Mistake>([
    [
      'an array of identities instead of objects',
      () => v5('/contact/delete', { data: { contacts: ['a@example.com'] } }),
      '400 data.contacts[0] must be an object, not a string, for example {"contact_id":1}',
    ],
    [
      'identities under another name',
      () => v5('/contact/delete', { data: { identities: ['a@example.com'] } }),
      '400 data.identities: identities is not a field here. The only field is contacts. (and 1 more fault; see errors)',
    ],
    [
      'null for audience_details',
      () => v5('/contact/delete', { data: { contacts: [{ identity: 'a@example.com', audience_details: null }] } }),
      '400 data.contacts[0].audience_details must be an array, not null, for example [{"audience_id":[1]}]',
    ],
  ])('explains this mistake: %s', expectAnswer);
});

describe('an operation of V5', () => {
  test.each<Mistake>([
    [
      'an attribute to delete without the wrapper data',
      () => v5('/client/attribute/delete', { name: 'CITY' }),
      '400 name: name belongs inside data[], not here. (and 1 more fault; see errors)',
    ],
    [
      'a trailing comma',
      () => v5('/contact/create', '{"data": {"contacts": [],}}'),
      '400 The body is not valid JSON: there is a syntax error at character 25. Remove the comma before it',
    ],
    [
      'single quotes in JSON',
      () => v5('/contact/create', "{'data': {}}"),
      '400 The body is not valid JSON: there is a syntax error at character 1. Use double quotes instead of single quotes',
    ],
    ['no body at all', () => v5('/contact/create', ''), '400 The body is not valid JSON: it is empty'],
    [
      'an incomplete body',
      () => v5('/contact/create', '{"data": {"contacts": ['),
      '400 The body is not valid JSON: it ends too early or has a syntax error',
    ],
    [
      'the content type of a form',
      () => v5('/contact/search', 'data=1', { 'content-type': 'application/x-www-form-urlencoded' }),
      '415 The Content-Type must be application/json',
    ],
    [
      'JSON inside a string',
      () => v5('/contact/search', JSON.stringify('{"output":{}}')),
      '400 The request must be an object, not a string, for example {"filtering_criteria":[{"condition_details":[{"field":"CITY","operation":"equals","value":["Pune"]}]}]}',
    ],
    [
      'a body in Latin-1',
      () => v5('/contact/create', Buffer.from('{"data":"é"}', 'latin1')),
      '400 The body is not valid JSON: it is not UTF-8',
    ],
    [
      'a body that is compressed with gzip',
      () => v5('/contact/create', '{}', { 'content-encoding': 'gzip' }),
      '415 The Content-Encoding of the body is not supported. Send the body uncompressed.',
    ],
  ])('explains this mistake: %s', expectAnswer);
});

describe('a refusal for the path or the headers', () => {
  test.each<Mistake>([
    [
      'the method GET',
      () => service.call('GET', '/v5/contact/search', { headers: { 'api-key': account.apiKey } }),
      '405 This path does not accept GET. It accepts POST.',
    ],
    ['no version', () => service.call('POST', '/contact/find', { body: {} }), '404 There is no operation at this path'],
    [
      'v4 instead of v5 in the path',
      () => service.call('POST', '/v4/contact/create', { body: {}, headers: { 'api-key': account.apiKey } }),
      '404 There is no operation at this path. Did you mean /v5/contact/create?',
    ],
    [
      'the prefix /api in the path',
      () => service.call('POST', '/api/v5/contact/create', { body: {} }),
      '404 There is no operation at this path. Did you mean /v5/contact/create?',
    ],
    [
      'a misspelt path',
      () => service.call('POST', '/v5/contacts/create', { body: {} }),
      '404 There is no operation at this path. Did you mean /v5/contact/create?',
    ],
    [
      'the key in the query',
      () => service.call('POST', '/v5/contact/search?api-key=x', { body: {} }),
      '401 The api-key header is missing, blank or not a valid API key. Send the API key in the header api-key, not in the query.',
    ],
    [
      'the key in another header',
      () => service.call('POST', '/v5/contact/search', { body: {}, headers: { 'x-api-key': 'secret' } }),
      '401 The api-key header is missing, blank or not a valid API key. Send the API key in the header api-key, not in the header x-api-key.',
    ],
    [
      'the key as a bearer token',
      () => service.call('POST', '/v5/contact/search', { body: {}, headers: { authorization: 'Bearer secret' } }),
      '401 The api-key header is missing, blank or not a valid API key. Send the API key in the header api-key, not in the header Authorization.',
    ],
    [
      'a wrong key',
      () => service.call('POST', '/v5/contact/search', { body: {}, headers: { 'api-key': 'secret' } }),
      '401 The api-key header is missing, blank or not a valid API key',
    ],
    [
      'an API key as a token of the operator API',
      () => service.call('GET', '/admin/v1/accounts', { headers: { authorization: `Bearer ${account.apiKey}` } }),
      '401 The request has no valid credential for the operator API. Send the API key in the header api-key. It needs the scope of the operation.',
    ],
    [
      'an Idempotency-Key with spaces',
      () =>
        v5(
          '/contact/create',
          { data: { contact_type: 'identified', contacts: [asha] } },
          { 'idempotency-key': 'my key' },
        ),
      '400 Idempotency-Key must have 1 to 255 printable ASCII characters and no spaces',
    ],
  ])('explains this mistake: %s', expectAnswer);
});

describe('an attribute operation', () => {
  test.each<Mistake>([
    [
      'a misspelt data type',
      () => v5('/client/attribute/create', { data: [{ name: 'SIZE', data_type: 'strng', category: 'custom' }] }),
      '400 data[0].data_type must be one of text, long_text, number, boolean, date, datetime. Did you mean text?',
    ],
    [
      'the data type string',
      () => v5('/client/attribute/create', { data: [{ name: 'SIZE', data_type: 'string', category: 'custom' }] }),
      '400 data[0].data_type must be one of text, long_text, number, boolean, date, datetime. Did you mean text?',
    ],
    [
      'the data type int',
      () => v5('/client/attribute/create', { data: [{ name: 'SIZE', data_type: 'int', category: 'custom' }] }),
      '400 data[0].data_type must be one of text, long_text, number, boolean, date, datetime. Did you mean number?',
    ],
    [
      'type instead of data_type',
      () => v5('/client/attribute/create', { data: [{ name: 'SIZE', type: 'text' }] }),
      '400 data[0].data_type is required and must be one of text, long_text, number, boolean, date, datetime. type is not a field here. Did you mean data_type?',
    ],
    [
      'an attribute name with a space',
      () => v5('/client/attribute/create', { data: [{ name: 'Shoe size', data_type: 'number' }] }),
      '400 data[0].name must begin with a letter and have at most 64 letters, digits and underscores, such as CUSTOMER_TIER',
    ],
    [
      'the name of a contact field as an attribute name',
      () => v5('/client/attribute/create', { data: [{ name: 'contact_id', data_type: 'number' }] }),
      '400 data[0].name is reserved: contacts have a field with this name. Choose another name.',
    ],
    [
      'a default value of another type',
      () => v5('/client/attribute/create', { data: [{ name: 'SIZE', data_type: 'number', default_value: 'large' }] }),
      '400 data[0].default_value must be a number, such as 30 or "30", because the type is number',
    ],
    [
      'a mapping to an attribute that is not a system attribute',
      () => v5('/client/attribute/create', { data: [{ name: 'TOWN', data_type: 'text', mapping: 'CITTY' }] }),
      '400 data[0].mapping: CITTY is not a system attribute. Did you mean CITY?',
    ],
    [
      'a mapping to an attribute of another type',
      () => v5('/client/attribute/create', { data: [{ name: 'TOWN', data_type: 'number', mapping: 'CITY' }] }),
      '400 data[0].mapping: CITY has the type text and TOWN the type number. The types must be the same.',
    ],
    [
      'a boolean for data_masking',
      () => v5('/client/attribute/create', { data: [{ name: 'TOWN', data_type: 'text', data_masking: true }] }),
      '400 data[0].data_masking must be one of none, partial, full, not a boolean',
    ],
    [
      'an update without a change',
      () => v5('/client/attribute/update', { data: [{ name: 'CITY' }] }),
      '400 data[0] needs at least one of the fields that can change: new_name, data_type, default_value, mapping, data_masking, category',
    ],
    [
      'an update with an unknown category',
      () => v5('/client/attribute/update', { data: [{ name: 'FIRSTNAME', category: 'x' }] }),
      '400 data[0].category must be one of profile, demographic, location, behaviour, transaction, preference, custom',
    ],
    [
      'a new name for a system attribute',
      () => v5('/client/attribute/update', { data: [{ name: 'CITY', new_name: 'TOWN' }] }),
      '400 data[0].new_name: CITY is a system attribute and cannot be renamed.',
    ],
    [
      'the name of an attribute instead of its changes',
      () => v5('/client/attribute/update', { data: 'CITY' }),
      '400 data[0] must be an object, not a string, for example {"name":"CUSTOMER_TIER","new_name":"LOYALTY_TIER"}',
    ],
    [
      'a misspelt attribute to delete',
      () => v5('/client/attribute/delete', { data: ['FIRSTNAME'] }),
      '400 data[0]: FIRSTNAME is not an attribute of the account. Did you mean FIRST_NAME?',
    ],
    [
      'attributes to delete that are given twice',
      () => v5('/client/attribute/delete', '{"data": ["FIRSTNAME"], "data": ["CITY"]}'),
      '400 data is given twice in the same object. Leave one of them out.',
    ],
    [
      'a system attribute to delete',
      () => v5('/client/attribute/delete', { data: ['CITY'] }),
      '400 data[0]: CITY is a system attribute and cannot be deleted.',
    ],
    [
      'an attribute number to delete that does not exist',
      () => v5('/client/attribute/delete', { data: [{ id: 4711 }] }),
      '400 data[0]: The account has no attribute with this id.',
    ],
    [
      'names instead of data in attribute usage',
      () => v5('/client/attribute/usage', { names: ['CITY'] }),
      '400 names: names is not a field here. The only field is data. (and 1 more fault; see errors)',
    ],
    [
      'the same attribute twice in attribute usage',
      () => v5('/client/attribute/usage', { data: ['CITY', 'city'] }),
      '400 data[1] is the same attribute as data[0]. Leave one of them out.',
    ],
    [
      'a contact field in an attribute search',
      () =>
        v5('/client/attribute/search', {
          filtering_criteria: [{ condition_details: [{ field: 'EMAIL', operation: 'equals', value: ['x'] }] }],
        }),
      '400 filtering_criteria[0].condition_details[0].field: EMAIL is not a field of attributes. The fields are name, entity_type, data_type, category.',
    ],
    [
      'a misspelt data type in an attribute search',
      () =>
        v5('/client/attribute/search', {
          filtering_criteria: [{ condition_details: [{ field: 'data_type', operation: 'equals', value: ['strng'] }] }],
        }),
      '400 filtering_criteria[0].condition_details[0].value[0] must be one of text, long_text, number, boolean, date, datetime. Did you mean text?',
    ],
    [
      'the operation contains in an attribute search',
      () =>
        v5('/client/attribute/search', {
          filtering_criteria: [{ condition_details: [{ field: 'data_type', operation: 'contains', value: ['te'] }] }],
        }),
      '400 filtering_criteria[0].condition_details[0].operation: contains is not an operation of this field. The only operation is equals. (and 1 more fault; see errors)',
    ],
  ])('explains this mistake: %s', expectAnswer);
});

describe('user activity', () => {
  test.each<Mistake>([
    [
      'dates in ISO format',
      () => activity({ from_date: '2026-01-26', to_date: '2026-02-01' }),
      '400 data.from_date must be a day that exists, written as DDMMYYYY, such as 23072018 for 23 July 2018. data.to_date must be a day that exists, written as DDMMYYYY, such as 23072018 for 23 July 2018.',
    ],
    [
      'dates in the order MMDDYYYY',
      () => activity({ from_date: '01262026', to_date: '02012026' }),
      '400 data.from_date must be a day that exists, written as DDMMYYYY, such as 23072018 for 23 July 2018',
    ],
    [
      'a period of eight days',
      () => activity({ from_date: '26012026', to_date: '02022026' }),
      '400 data.to_date must be at most 7 days from from_date on, both days counted, but the period has 8 days',
    ],
    [
      'the days in the wrong order',
      () => activity({ from_date: '02022026', to_date: '26012026' }),
      '400 data.from_date must not be after to_date',
    ],
    [
      'an unknown channel',
      () => activity({ channel: 'whatsap' }),
      '400 data.channel must be one of email, sms, whatsapp, app_push, web_push. Did you mean whatsapp?',
    ],
    [
      'a missing primary_key',
      () => activity({ primary_key: undefined }),
      '400 data.primary_key is required. Send the value of the primary key of the person.',
    ],
    [
      'email instead of primary_key',
      () => activity({ primary_key: undefined, email: 'asha@example.com' }),
      '400 data.primary_key is required. Send the value of the primary key of the person. email is not a field here. Did you mean primary_key?',
    ],
    [
      'the fields of data outside of data',
      () => apiv2({ primary_key: 'asha@example.com', channel: 'email', from_date: '26012026', to_date: '01022026' }),
      '400 data is required. Send an object with primary_key, channel, from_date and to_date.',
    ],
    [
      'a body without type and activity',
      () => service.call('POST', '/apiv2', { body: { apikey: account.apiKey, data: {} } }),
      '400 type is required and must be "export_data". activity is required and must be "get_user_channel_activity_data". data.primary_key is required. Send the value of the primary key of the person. data.channel is required and must be one of email, sms, whatsapp, app_push, web_push. data.from_date is required. data.to_date is required.',
    ],
    [
      'an unknown value of activity',
      () => apiv2({ activity: 'get_user_activity', data: {} }),
      '400 activity must be "get_user_channel_activity_data". data.primary_key is required. Send the value of the primary key of the person. data.channel is required and must be one of email, sms, whatsapp, app_push, web_push. data.from_date is required. data.to_date is required.',
    ],
    [
      'data that is not JSON',
      () => apiv2({ data: '{primary_key: asha}' }),
      '400 data is not valid JSON. Send an object with primary_key, channel, from_date and to_date.',
    ],
    [
      'the API key in a header',
      () => service.call('POST', '/apiv2', { body: { type: 'export_data' }, headers: { 'api-key': account.apiKey } }),
      '401 The parameter apikey is missing, blank or not a valid API key. Send the API key as the parameter apikey, not in the header api-key.',
    ],
    [
      'the method GET',
      () => service.call('GET', '/apiv2?type=export_data'),
      '405 This path does not accept GET. It accepts POST.',
    ],
  ])('explains this mistake: %s', expectAnswer);
});
