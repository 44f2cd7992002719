import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { forFile } from '../../server/test/support/for-file.ts';
import { parseAllowList } from '../../server/src/platform/config/allow-list.ts';
import { deliver } from '../../server/test/callbacks/support.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';
import { chooseOption, openRow, pressEnterOn, tabTo, typeInto } from './support/keyboard.ts';

const console = await forFile(startConsole({ config: { callbackAllow: parseAllowList('127.0.0.0/8') } }));
await forFile(console.service.startJobs());

test('a developer creates a key, sends a request with it, and finds its failure in the log with the keyboard alone', async () => {
  const page = await console.signIn({ path: '/accounts/1/developers/api-keys' });
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  await expectAccessible(page);
  await pressEnterOn(page, page.getByRole('button', { name: 'Create key' }));
  const form = page.getByRole('dialog');
  await typeInto(page, form.getByLabel('Name'), 'Website');
  await expectAccessible(page);
  await pressEnterOn(page, form.getByRole('button', { name: 'Create key' }));
  await form.getByText('It is shown only this once').waitFor();
  const apiKey = (await form.locator('pre').textContent())!.trim();
  await pressEnterOn(page, form.getByRole('button', { name: 'Close' }).last());
  await page.getByRole('row').filter({ hasText: 'Website' }).getByText('never').waitFor();

  const answer = await console.service.call('POST', '/v5/contact/create', {
    headers: { 'api-key': apiKey },
    body: {
      data: {
        contact_type: 'identified',
        contacts: [{ identity: 'asha@example.com' }, { identity: 'omar@example.com', attributes: { NOT_THERE: 'x' } }],
      },
    },
  });
  expect(answer.status).toBe(200);
  await console.service.settled();

  await pressEnterOn(page, page.getByRole('link', { name: 'Request log' }));
  await page.getByRole('heading', { name: 'Request log' }).waitFor();
  await page.getByRole('row').filter({ hasText: 'contact.create' }).waitFor();
  await expectAccessible(page);
  await tabTo(page, page.getByRole('combobox', { name: 'Outcome' }));
  await chooseOption(page, 'With warnings');
  await page.waitForURL('**/requests?outcome=warnings');
  // All operations of the contract can be chosen, not only those of the first days.
  await page.getByRole('combobox', { name: 'Operation' }).fill('contact.');
  await page.getByRole('option', { name: 'contact.batch-add' }).waitFor();
  await page.getByRole('combobox', { name: 'Operation' }).fill('create');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/requests?outcome=warnings&operation=attribute.create');
  await page.getByText('No request matches').waitFor();
  const today = new Date().toISOString().slice(0, 10);
  await page.goto('/console/accounts/1/developers/requests?from=2020-01-01&to=2020-01-02');
  await page.getByText('No request matches').waitFor();
  await expectAccessible(page);
  await page.goto(`/console/accounts/1/developers/requests?outcome=warnings&from=${today}&to=${today}`);
  await openRow(page, page.getByRole('row').filter({ hasText: answer.body.request_id }));
  const failure = page.getByRole('row').filter({ hasText: 'attribute_unknown' });
  // The second contact of the request, by its index in the array.
  await failure.getByRole('gridcell', { name: '1', exact: true }).waitFor();
  await page.getByText('attributes.NOT_THERE').waitFor();
  await page.getByText('attribute_unknown · 1').click();
  await page.waitForURL('**?code=attribute_unknown');
  await expectAccessible(page);
  await failure.getByRole('link', { name: 'omar@example.com' }).click();
  await page.getByRole('grid', { name: 'Contacts' }).getByRole('row').filter({ hasText: 'omar@example.com' }).waitFor();
});

test('a key expires at the end of the day in the time zone of the account', async () => {
  await console.service.first.operator('PATCH', '', { time_zone: 'Asia/Kolkata' });
  const page = await console.signIn({ path: '/accounts/1/developers/api-keys', timeZone: 'America/New_York' });
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByText('until the end of this day (Asia/Kolkata)').waitFor();
  await form.getByLabel('Name').fill('One day');
  await form.getByLabel('Expires').fill('2101-03-01');
  await form.getByRole('button', { name: 'Create key' }).click();
  await form.getByText('It is shown only this once').waitFor();
  const { data } = (await console.service.first.operator('GET', '/api-keys')).body;
  expect(data.find(({ name }: { name: string }) => name === 'One day')).toMatchObject({
    expires_at: '2101-03-01T18:30:00.000Z',
  });
  await console.service.first.operator('PATCH', '', { time_zone: 'UTC' });
});

test('a developer reads the guide of an empty page, and tries an operation with a key of the page', async () => {
  const { accountId } = await console.service.createAccount({ name: 'Second' });
  const page = await console.signIn({ path: `/accounts/${accountId}/developers/api-reference` });
  await page.getByRole('link', { name: 'API reference' }).last().waitFor();
  await page.waitForFunction(() => localStorage.getItem('roster-account') !== null);
  // Every empty page has an action and the call that does it.
  await page.goto(`/console/accounts/${accountId}/developers/deliveries`);
  await page.getByText('No callbacks yet').waitFor();
  await page.getByRole('button', { name: 'With curl' }).click();
  await page.getByText('"callback"').waitFor();
  await page.getByRole('link', { name: 'New export' }).click();
  await page.waitForURL(`**/accounts/${accountId}/exports/new`);
  await page.goto('/docs/guides/developer#get-a-key');
  await page.getByRole('heading', { name: 'Guide for developers' }).waitFor();
  await expectAccessible(page);
  await page.goto('/docs/api/contacts#searchContacts');
  const operation = page.getByRole('region', { name: 'Search contacts' });
  await operation.getByText('Try it').click();
  await expectAccessible(page);
  await operation.getByRole('button', { name: 'Create a key for one hour' }).click();
  // The account that the person has just looked at, and not the first one.
  await operation.getByText(`A key of account ${accountId} is filled in.`).waitFor();
  await operation.getByLabel('Body').fill('{"output": {"get_count": true}}');
  await operation.getByRole('button', { name: 'Send' }).click();
  await operation.getByRole('status').filter({ hasText: '200' }).waitFor();
  expect(JSON.parse((await operation.locator('.answer').textContent())!)).toMatchObject({ status: 'success' });

  // With the session, no key is needed.
  await page.goto('/docs/api/lists');
  const lists = page.getByRole('region', { name: 'List the lists' });
  await lists.getByText('Try it').click();
  expect(await lists.getByLabel('account_id').inputValue()).toBe(String(accountId));
  await lists.getByRole('button', { name: 'Send' }).click();
  await lists.getByRole('status').filter({ hasText: '200' }).waitFor();
});

test('a developer replays a failed callback with the keyboard alone', async () => {
  let status = 400;
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    received.push(request.headers['x-roster-delivery'] as string);
    request.resume();
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  try {
    const id = await deliver(console.service.context, `http://127.0.0.1:${port}/hook`);
    const page = await console.signIn({ path: '/accounts/1/developers/deliveries' });
    await page
      .getByRole('row')
      .filter({ hasText: `:${port}/hook` })
      .waitFor();
    await expect.poll(() => received.length).toBeGreaterThan(0);
    // The attempt has failed, so the page says that there will be another one, and when.
    await expect
      .poll(async () => {
        await page.reload();
        return await page
          .getByRole('row')
          .filter({ hasText: `:${port}/hook` })
          .innerText();
      })
      .toMatch(/Will be tried again[^]*\bin \d+ (second|minute)/);
    // Roster would try again for a day. End the delivery now.
    await console.service.context.pool.query(
      "with job as (delete from roster_jobs._private_jobs where payload->>'delivery_id' = $1::text) update deliveries set status = 'failed', phase = null, next_attempt_at = null, finished_at = now() where delivery_id = $1::uuid",
      [id],
    );
    await expectAccessible(page);
    await openRow(page, page.getByRole('row').filter({ hasText: `:${port}/hook` }));
    await page.getByText('bad_status').first().waitFor();
    await expectAccessible(page);
    status = 200;
    const before = received.length;
    await pressEnterOn(page, page.getByRole('button', { name: 'Send again' }));
    await page.getByText('Delivered').waitFor();
    await expect.poll(() => received.length).toBeGreaterThan(before);
    expect(new Set(received)).toEqual(new Set([id]));
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
});

test('a privacy officer finds a person, and downloads everything about the person', async () => {
  const page = await console.signIn({ role: 'privacy', path: '/accounts/1/privacy/person-exports' });
  const field = page.getByRole('combobox', { name: 'Find a contact' });
  await field.fill('omar');
  await page.getByRole('option', { name: /omar@example\.com/ }).click();
  await page.getByRole('region', { name: 'The person' }).getByText('omar@example.com').waitFor();
  await expectAccessible(page);
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const data = await readFile(await (await started).path(), 'utf8');
  expect(JSON.parse(data)).toMatchObject({ contact: { identity: 'omar@example.com' } });
});

test('the other pages for developers, privacy officers and administrators are accessible', async () => {
  const page = await console.signIn();
  for (const path of [
    'developers/mails',
    'developers/signing-secret',
    'developers/api-reference',
    'privacy',
    'privacy/forgotten',
    'privacy/retention',
    'privacy/sign-ups',
    'settings',
    'settings/audit-log',
    'settings/system',
    'contacts/bulk-changes',
  ]) {
    await page.goto(`/console/accounts/1/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
    await expectAccessible(page);
  }
}, 120_000);
