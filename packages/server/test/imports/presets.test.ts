import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { recognizePreset, type List } from '@roster/contract';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import type { TestAccount } from '../support/service.ts';
import { startImportService } from './import-service.ts';

const imports = await forFile(startImportService());

const fileOf = (name: string) => readFile(path.join(import.meta.dirname, 'files', name));

/** Imports files of another program one after another. Returns the contacts by their addresses. */
async function moveIn(files: readonly [name: string, body: object][]) {
  const account = await imports.service.createAccount({ name: 'Moved' });
  const ended = [];
  for (const [name, body] of files) {
    const one = await imports.run(await fileOf(name), body, account);
    expect(one).toMatchObject({ status: 'completed', failure: null });
    ended.push(one);
  }
  return { account, ended, contacts: await contactsOf(account) };
}

async function contactsOf(account: TestAccount): Promise<Record<string, Record<string, unknown>>> {
  const attributes = await account.operator('GET', '/attributes?limit=500');
  const fields = ['email', 'mobile', 'contact_type', ...attributes.body.data.map(({ name }: { name: string }) => name)];
  const rows = await account.rows({ output: { fields: ['contact_id', ...fields] } });
  const lists = await account.operator('GET', '/lists');
  const names = new Map<number, string>(lists.body.data.map(({ audience_id: id, name }: List) => [id, name]));
  const stored = await imports.service.context.db
    .selectFrom('contacts')
    .where('account_id', '=', account.accountId)
    .select(['contact_id', 'list_ids', 'email_opted_out', 'sms_opted_out', 'created_at'])
    .execute();
  return Object.fromEntries(
    rows.map(({ contact_id: id, ...row }: Record<string, unknown>) => {
      const of = stored.find(({ contact_id }) => contact_id === id)!;
      const { list_ids, email_opted_out, created_at } = of;
      return [
        row['email'],
        {
          ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
          lists: list_ids.map((id) => names.get(id)).sort((a, b) => String(a).localeCompare(String(b))),
          optedOut: email_opted_out,
          signedUp: created_at.toISOString(),
        },
      ];
    }),
  );
}

describe('a file is recognized by its headers', () => {
  test.each([
    ['mailchimp-subscribed.csv', 'mailchimp'],
    ['mailchimp-unsubscribed.csv', 'mailchimp'],
    ['mailchimp-cleaned.csv', 'mailchimp'],
    ['sendgrid-contacts.csv', 'sendgrid'],
    ['sendgrid-unsubscribes.csv', 'sendgrid_suppressions'],
    ['sendgrid-bounces.csv', 'sendgrid_suppressions'],
    ['hubspot-contacts.csv', 'hubspot'],
    ['listmonk-subscribers.csv', 'listmonk'],
    ['klaviyo-list.csv', 'klaviyo'],
    ['klaviyo-suppressions.csv', 'klaviyo_suppressions'],
  ])('%s is a file of %s', async (name, preset) => {
    const [headers] = parse(await fileOf(name), { to: 1 });
    expect(recognizePreset(headers!)?.id).toBe(preset);
  });

  test('an ordinary table is not recognized, and neither is a file of Roster', () => {
    expect(recognizePreset(['EMAIL', 'FIRST_NAME', 'CREATED_AT'])).toBeUndefined();
    expect(recognizePreset(['email', 'created', 'city'])).toBeUndefined();
  });
});

test('the three files of a Mailchimp audience keep opt-outs, sign-up dates and tags', async () => {
  const preset = { preset: 'mailchimp' };
  const { contacts, ended } = await moveIn([
    ['mailchimp-subscribed.csv', preset],
    ['mailchimp-unsubscribed.csv', preset],
    ['mailchimp-cleaned.csv', preset],
  ]);
  expect(ended.map(({ counts }) => counts.created)).toEqual([3, 1, 1]);
  expect(contacts['asha@example.com']).toMatchObject({
    FIRST_NAME: 'Asha',
    LAST_NAME: 'Rao',
    PHONE_NUMBER: '+91 98123 45678',
    BIRTHDAY: '04/17',
    MEMBER_RATING: 4,
    TIME_ZONE: 'Asia/Kolkata',
    COUNTRY: 'in',
    NOTES: 'Met at the fair, likes "tea"',
    lists: ['Newsletter', 'VIP'],
    optedOut: false,
    signedUp: '2021-03-15T09:30:00.000Z',
  });
  expect(contacts['zoe@example.com']).toMatchObject({ FIRST_NAME: 'Zoë', lists: ['Newsletter'], optedOut: false });
  expect(contacts['omar@example.com']).toMatchObject({ lists: [], signedUp: '2020-02-29T00:00:00.000Z' });
  expect(contacts['ben@example.com']).toMatchObject({
    contact_type: 'blacklisted',
    lists: ['Newsletter'],
    optedOut: true,
    signedUp: '2019-07-01T12:00:00.000Z',
  });
  expect(contacts['gone@example.com']).toMatchObject({ optedOut: true, signedUp: '2018-05-05T05:05:05.000Z' });
});

test('the contacts of SendGrid and its suppressions become contacts with opt-outs', async () => {
  const { contacts, ended } = await moveIn([
    ['sendgrid-contacts.csv', { preset: 'sendgrid', unknown_columns: 'create' }],
    ['sendgrid-unsubscribes.csv', { preset: 'sendgrid_suppressions' }],
    ['sendgrid-bounces.csv', { preset: 'sendgrid_suppressions' }],
  ]);
  expect(ended[1]).toMatchObject({ preset: 'sendgrid_suppressions', opt_out: ['email'] });
  expect(contacts['asha@example.com']).toMatchObject({
    CITY: 'Pune',
    STATE: 'Maharashtra',
    POSTAL_CODE: '411001',
    FAVORITE_COLOR: 'green',
    EXTERNAL_ID: 'crm-1',
    optedOut: false,
    signedUp: '2021-03-15T09:30:00.000Z',
  });
  expect(contacts['ben@example.com']).toMatchObject({ optedOut: true, signedUp: '2019-07-01T12:00:00.000Z' });
  expect(contacts['new@example.com']).toMatchObject({ optedOut: true });
  expect(contacts['gone@example.com']).toMatchObject({ optedOut: true });
});

test('contacts of HubSpot keep every kind of opt-out, and rows without an address are reported', async () => {
  const { contacts, ended, account } = await moveIn([['hubspot-contacts.csv', { preset: 'hubspot' }]]);
  expect(ended[0]!.counts).toMatchObject({ total: 5, created: 4, failed: 1 });
  expect(await imports.failures(ended[0]!.import_id, account)).toMatchObject([
    { IMPORT_LINE: '6', IMPORT_CODE: 'identity_blank' },
  ]);
  expect(contacts['asha@example.com']).toMatchObject({
    HUBSPOT_RECORD_ID: '101',
    COUNTRY: 'India',
    LEAD_STATUS: 'NEW',
    optedOut: false,
    signedUp: '2021-03-15T09:30:00.000Z',
  });
  for (const email of ['ben@example.com', 'gone@example.com', 'ida@example.com'])
    expect(contacts[email]).toMatchObject({ optedOut: true, contact_type: 'blacklisted' });
});

test('subscribers of listmonk keep the attributes of their JSON cells', async () => {
  const { contacts } = await moveIn([['listmonk-subscribers.csv', { preset: 'listmonk', unknown_columns: 'create' }]]);
  expect(contacts['asha@example.com']).toMatchObject({
    NAME: 'Asha Rao',
    CITY: 'Pune',
    AGE: 31,
    LIKES: 'tea, books',
    GOOD: true,
    optedOut: false,
    signedUp: '2021-03-15T09:30:00.123Z',
  });
  expect(contacts['ben@example.com']).toMatchObject({ optedOut: true, signedUp: '2019-07-01T12:00:00.000Z' });
  expect(contacts['off@example.com']).toMatchObject({
    CITY: 'Köln',
    ADDRESS: '{"zip":"50667"}',
    optedOut: true,
    signedUp: '2020-01-01T00:00:00.500Z',
  });
});

test('a list of Klaviyo and its suppressions keep consent and mobile numbers', async () => {
  const { contacts } = await moveIn([
    ['klaviyo-list.csv', { preset: 'klaviyo', unknown_columns: 'create' }],
    ['klaviyo-suppressions.csv', { preset: 'klaviyo_suppressions' }],
  ]);
  expect(contacts['asha@example.com']).toMatchObject({
    mobile: '919812345678',
    KLAVIYO_ID: '01HAAA',
    FAVORITE_TEA: 'Assam',
    optedOut: false,
    signedUp: '2021-03-15T09:30:00.000Z',
  });
  expect(contacts['ben@example.com']).toMatchObject({ optedOut: true, CITY: 'New York' });
  expect(contacts['gone@example.com']).toMatchObject({ optedOut: true, signedUp: '2018-05-05T05:05:05.000Z' });
});

test('a German spreadsheet in Windows-1252 keeps leading zeros, groups and dates', async () => {
  const { contacts } = await moveIn([
    [
      'spreadsheet.csv',
      {
        preset: 'spreadsheet',
        encoding: 'windows-1252',
        columns: {
          Anmeldedatum: { field: 'CREATED_AT', date_format: 'dmy', time_zone: 'Europe/Berlin' },
          Status: { field: 'EMAIL_OPTED_OUT' },
        },
      },
    ],
  ]);
  expect(contacts['asha@example.com']).toMatchObject({
    POSTAL_CODE: '01067',
    lists: ['Kunden', 'VIP'],
    optedOut: false,
    signedUp: '2021-03-14T23:00:00.000Z',
  });
  expect(contacts['zoe@example.com']).toMatchObject({
    LAST_NAME: 'Müller',
    lists: ['Kunden'],
    optedOut: true,
    signedUp: '2022-12-24T17:00:00.000Z',
  });
});
