import { operations, type Operation } from '@roster/contract/operations';

/**
 * Placeholder for an identity in a seed. It is replaced by an identity in the form of the account's
 * primary key.
 */
const person = (number: number): string => `{{person ${number}}}`;

/**
 * Returns a valid body for an account. `first` is the number of the first person that the body
 * names.
 */
export function seedBody(path: string, seed: number, primaryKey: string, first: number): unknown {
  const bodies = seeds[path]!;
  const text = JSON.stringify(bodies[seed % bodies.length]);
  return JSON.parse(
    text.replaceAll(/\{\{person (\d+)\}\}/g, (_, number) => identityOf(primaryKey, first + Number(number))),
  );
}

function identityOf(primaryKey: string, number: number): string {
  if (primaryKey === 'EMAIL') return `person${number}@example.com`;
  return primaryKey === 'MOBILE' ? `91980000${1000 + number}` : `C-${number}`;
}

/**
 * Valid bodies of each V5 operation, which the test then damages. Lists 1 to 3 and segment 4 exist
 * in every account.
 */
export const seeds: Readonly<Record<string, readonly unknown[]>> = {
  '/contact/create': [
    ...values(operations.createContacts),
    ...[1, 2, 3].map((number) => ({
      data: {
        contact_type: 'Identified',
        contacts: [
          {
            identity: person(1),
            attributes: { first_name: 'Ásha', CITY: 'Pune', AGE: '31', VIP: true, SINCE: '2020-02-29T10:00:00+05:30' },
            audience_details: [
              { audience_id: [1, '2'], audience_type: 'LIST' },
              { audience_id: 3, audience_type: 'list' },
            ],
          },
          { identity: person(number), attributes: { CITY: null, BIO: 'long '.repeat(300), SCORE: 1.5 } },
          { identity: person(4), attributes: { NOTE: 'x', NEW_ONE: '1', NEW_TWO: 2, NEW_THREE: true } },
        ],
      },
      notify_callback: 'https://example.com',
    })),
    {
      data: {
        contact_type: 'anonymous',
        contacts: [{}, { email: 'x@example.com', attributes: { CUSTOMER_ID: 'C-1' } }],
      },
    },
  ],
  '/contact/update': [
    ...values(operations.updateContacts),
    ...[1, 2, 3].map((number) => ({
      data: {
        contacts: [
          {
            identity: person(number),
            attributes: { CITY: 'Mumbai', AGE: 32, VIP: 'false', NOTE: 'y' },
            audience_details: [
              { audience_id: [1, 2], audience_type: 'list', action: 'remove' },
              { audience_id: 3, audience_type: 'list', action: 'add' },
            ],
            subscriptions: { email: false, sms: true, whatsapp: 'true' },
          },
        ],
      },
    })),
    { data: { contact_type: 'identified', contacts: [{ identity: person(1), subscriptions: { email: true } }] } },
    {
      data: {
        contacts: [
          { contact_id: 1, identity: person(7) },
          { identity: person(5), email: 'shared@example.com', mobile: '919800000009' },
          { contact_id: '2', subscriptions: { email: true } },
          { email: 'x@example.com', mobile: '+91 98000-00001' },
          { mobile: '919800000001', attributes: { SINCE: 'never' } },
        ],
      },
    },
  ],
  '/contact/delete': [
    ...values(operations.deleteContacts),
    {
      data: {
        contacts: [{ contact_id: 1 }, { identity: person(3) }, { email: 'b@example.com' }, { mobile: 919800000001 }],
      },
    },
    {
      data: {
        contacts: [
          { identity: person(1), audience_details: [{ audience_id: [1, 3], audience_type: 'list' }] },
          { contact_id: 3, audience_details: { audience_id: 2, audience_type: 'list' } },
        ],
      },
    },
  ],
  '/contact/search': [...values(operations.searchContacts), ...searchBodies()],
  '/contact/audience/search': [
    ...values(operations.searchAudience),
    ...searchBodies().map((body) => ({ audience_type: 'list', audience_id: [1, 2, 3], ...body })),
    { audience_type: 'Segment', audience_id: 4, get_count: 'true' },
  ],
  '/client/attribute/create': [
    ...values(operations.createAttributes),
    {
      data: [
        {
          name: 'age',
          entity_type: 'CONTACT',
          category: 'profile',
          data_type: 'Number',
          default_value: '30',
          mapping: null,
        },
        { name: 'SINCE', data_type: 'datetime', default_value: '2020-02-29T10:00:00+05:30', data_masking: 'full' },
        { name: 'NEW_ONE', data_type: 'text', mapping: 'STATE', default_value: 'x' },
      ],
    },
  ],
  '/client/attribute/search': [
    ...values(operations.searchAttributes),
    {
      filtering_criteria_operator: 'or',
      filtering_criteria: [
        { condition_details: [{ field: 'entity_type', operation: 'equals', value: 'contact' }] },
        { condition_details: [{ field: 'category', operation: 'equals', value: ['custom', 'location'] }] },
      ],
      output: {
        get_count: 'true',
        sorting: { field: 'updated_at', direction: 'DESC' },
        pagination: { page: '2', limit: 3 },
      },
    },
  ],
  '/client/attribute/update': [
    ...values(operations.updateAttributes),
    {
      data: [
        { name: 'NEW_TWO', new_name: 'NEW_THREE', data_type: 'text', default_value: null },
        { id: '12', data_masking: 'none', category: 'transaction', mapping: 'COUNTRY' },
      ],
    },
  ],
  '/client/attribute/delete': [
    ...values(operations.deleteAttributes),
    { data: ['new_one', { name: 'NEW_TWO' }, { id: 14 }, '15', 16] },
  ],
  '/client/attribute/usage': [
    ...values(operations.getAttributeUsage),
    { data: ['age', 1, { id: '2' }, { name: 'VIP' }] },
  ],
};

function values({ examples = {} }: Operation): unknown[] {
  return Object.values(examples).map(({ value }) => value);
}

function searchBodies(): object[] {
  const conditions: [field: string, operation: string, value?: unknown][] = [
    ['CITY', 'contains', 'un'],
    ['city', 'not_equals', ['Pune', 'Mumbai']],
    ['FIRST_NAME', 'starts_with', 'Á'],
    ['AGE', 'between', [18, 65]],
    ['AGE', 'less_than_or_equal', '31'],
    ['VIP', 'equals', true],
    ['SINCE', 'greater_than', '2020-01-01T00:00:00Z'],
    ['BIRTH_DATE', 'equals', '09/03/1994'],
    ['BIO', 'is_not_null'],
    ['contact_id', 'greater_than', 0],
    ['identity', 'ends_with', '7'],
    ['identity', 'equals', [person(1), person(2)]],
    ['email', 'equals', ['PERSON1@example.com', 'x@example.com']],
    ['mobile', 'is_null', []],
    ['created_at', 'between', ['2020-01-01T00:00:00Z', '2100-01-01T00:00:00Z']],
    ['email_opted_out', 'equals', 'false'],
    ['contact_type', 'not_equals', 'blacklisted'],
    ['list_id', 'not_equals', [2, 3]],
    ['segment_id', 'equals', 4],
  ];
  const single = conditions.map(([field, operation, value]) => ({
    filtering_criteria: [{ condition_details: [{ field, operation, ...(value === undefined ? {} : { value }) }] }],
    output: { get_count: true, fields: ['contact_id', field === 'segment_id' ? 'city' : field] },
  }));
  const activities = [
    {
      operation: 'at_least',
      value: 1,
      activity: 'open',
      channel: ['email'],
      when: { operation: 'in_last', value: '30 days' },
    },
    { operation: 'never', activity: ['click', 'OPEN'], when: { operation: 'between', value: ['2025-01-01', 'today'] } },
    { field_category: 'activity', operation: 'exactly', value: '2', message_id: [1, '4711'] },
    { operation: 'at_most', value: [0], message_name: 'Winter offers', when: { operation: 'not_in_last', value: 90 } },
  ].map((condition) => ({
    filtering_criteria: [{ condition_details: [{ field: 'activity', ...condition }] }],
    output: { get_count: true },
  }));
  const many = {
    filtering_criteria_operator: 'OR',
    filtering_criteria: [0, 6, 12].map((from) => ({
      condition_operator: 'and',
      condition_details: conditions
        .slice(from, from + 6)
        .map(([field, operation, value]) => ({ field, operation, value: value ?? [] })),
    })),
    output: {
      get_Count: true,
      sorting: [{ field: 'CITY', direction: 'desc' }, { field: 'AGE' }, { field: 'updated_at', direction: 'ASC' }],
      pagination: { page: 2, limit: 5 },
      fields: ['identity', 'EMAIL', 'mobile', 'list_id', 'Bio', 'SINCE', 'email_opted_out'],
    },
  };
  const page = { output: { pagination: { limit: 1000, cursor: 'AAAAAAAAAAAAWyJjcmVhdGVkX2F0IiwxXQ' } } };
  return [...single, ...activities, many, page];
}
