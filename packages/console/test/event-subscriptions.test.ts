import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { forFile } from '../../server/test/support/for-file.ts';
import { wakeSubscriptions } from '../../server/src/features/event-subscriptions/sending/wake.ts';
import { parseAllowList } from '../../server/src/platform/config/allow-list.ts';
import { writeDeadLetter } from '../../server/test/event-subscriptions/support.ts';
import { verify } from '../../server/test/support/standard-webhooks.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';
import { openRow, pressEnterOn, tabTo, typeInto } from './support/keyboard.ts';

const console = await forFile(startConsole({ config: { callbackAllow: parseAllowList('127.0.0.0/8') } }));
await forFile(console.service.startJobs());

test('an account without events is told before the form of a subscription, with a link to the setting', async () => {
  const page = await console.signIn({ path: '/accounts/1/developers/subscriptions' });
  const alert = page.getByRole('alert').filter({ hasText: 'The account does not record events' });
  await alert.waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create subscription' }).click();
  const form = page.getByRole('dialog');
  await form.getByText('The account does not record events').waitFor();
  expect(await form.getByRole('button', { name: 'Create subscription' }).isDisabled()).toBe(true);

  // The Escape key asks before it closes a form with entries.
  await form.getByLabel('Name').fill('Half-filled');
  const answers = ['dismiss', 'accept'] as const;
  const questions: string[] = [];
  page.on('dialog', (question) => {
    const answer = answers[questions.push(question.message()) - 1]!;
    void question[answer]();
  });
  await page.keyboard.press('Escape');
  await expect.poll(() => questions.length).toBe(1);
  expect(await form.getByLabel('Name').inputValue()).toBe('Half-filled');
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  expect(questions).toEqual(Array.from({ length: 2 }, () => 'Close the form? Your entries are not saved.'));
  // Nothing was entered, so nothing is asked.
  await page.getByRole('button', { name: 'Create subscription' }).click();
  await form.waitFor();
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });

  await alert.getByRole('link', { name: 'Open the settings of the account' }).click();
  await page.getByRole('switch', { name: 'Record events' }).waitFor();
});

test('a developer subscribes to events, tests the receiver, pauses, replays and deletes with the keyboard alone', async () => {
  const { service } = console;
  const account = service.first;
  await account.operator('PATCH', '', { settings: { events: true } });
  const received: { headers: Record<string, unknown>; body: string }[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  try {
    const page = await console.signIn({ path: '/accounts/1/developers/subscriptions' });
    await page.getByText('No event subscriptions').waitFor();
    await expectAccessible(page);
    await pressEnterOn(page, page.getByRole('button', { name: 'Create subscription' }).first());
    const form = page.getByRole('dialog');
    await typeInto(page, form.getByLabel('Name'), 'Warehouse');
    await typeInto(page, form.getByLabel('Address'), `http://127.0.0.1:${port}/events`);
    await expectAccessible(page);
    await pressEnterOn(page, form.getByRole('button', { name: 'Create subscription' }));
    await form.getByText('It is shown only this once').waitFor();
    const secret = (await form.locator('pre').textContent())!.trim();
    await expectAccessible(page);
    await pressEnterOn(page, form.getByRole('button', { name: 'Open the subscription' }));
    await page.getByRole('heading', { name: 'Warehouse' }).waitFor();
    await expectAccessible(page);
    await pressEnterOn(page, page.getByRole('button', { name: 'Send a test event' }));
    await page.getByText('The test event was accepted').waitFor();
    expect(verify(secret, received[0]!.body, received[0]!.headers)).toMatchObject({ type: 'test' });

    await account.apply('/contact/create', {
      data: { contact_type: 'identified', contacts: [{ identity: 'eva@example.com' }] },
    });
    await wakeSubscriptions(service.context);
    await expect.poll(() => received.length).toBe(2);
    await page.getByRole('row').filter({ hasText: 'Delivered' }).getByText('204').waitFor();

    // A filter, so that only events of some contacts are sent.
    await pressEnterOn(page, page.getByRole('button', { name: 'Edit' }));
    const edited = page.getByRole('dialog');
    await pressEnterOn(page, edited.getByRole('button', { name: 'Add a condition' }));
    expect(await edited.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await typeInto(page, edited.getByRole('combobox', { name: 'Field', exact: true }), 'E-mail');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await typeInto(page, edited.getByLabel('Value', { exact: true }), 'eva@example.com');
    await page.keyboard.press('Enter');
    await edited.getByText('1 contact', { exact: true }).waitFor();
    // Kinds are found by their words, and by what programs get.
    await typeInto(page, edited.getByRole('combobox', { name: 'Kinds of events' }), 'contact.cr');
    await page.getByRole('option', { name: 'Contact was created' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo(page, edited.getByRole('button', { name: 'Save' }));
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await edited.waitFor({ state: 'hidden' });
    await page.getByText('eva@example.com').waitFor();
    await page.getByText('Contact was created').first().waitFor();
    await expectAccessible(page);
    const filtered = (await account.operator('GET', '/event-subscriptions')).body.data[0];
    expect(filtered).toMatchObject({
      kinds: ['contact.created'],
      filter: { filtering_criteria: [{ condition_details: [{ field: 'email', value: ['eva@example.com'] }] }] },
    });
    await pressEnterOn(page, page.getByRole('button', { name: 'Pause' }));
    await page.getByText('Nothing is sent').waitFor();
    await expectAccessible(page);
    await pressEnterOn(page, page.getByRole('button', { name: 'Replay' }));
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('After the position').fill('0');
    await expectAccessible(page);
    await pressEnterOn(page, dialog.getByRole('button', { name: 'Replay' }));
    await page.getByRole('region', { name: 'Waiting events' }).getByText('1', { exact: true }).waitFor();
    await pressEnterOn(page, page.getByRole('button', { name: 'Resume' }));
    await page.getByText('Nothing is sent').waitFor({ state: 'hidden' });
    await wakeSubscriptions(service.context);
    await expect.poll(() => received.length).toBe(3);

    const id = page.url().split('/').at(-1)!;
    const dead = await writeDeadLetter(service.context, 1, id);
    await pressEnterOn(page, page.getByRole('button', { name: 'Send again' }));
    await page.getByRole('button', { name: 'Send again' }).waitFor({ state: 'hidden' });
    await wakeSubscriptions(service.context);
    await expect.poll(() => received.at(-1)!.headers['webhook-id']).toBe(dead);

    await pressEnterOn(page, page.getByRole('link', { name: 'Event subscriptions' }));
    await expectAccessible(page);
    await pressEnterOn(page, page.getByRole('link', { name: 'Event feed' }));
    await page.getByRole('row').filter({ hasText: 'contact.created' }).waitFor();
    await expectAccessible(page);
    await pressEnterOn(page, page.getByRole('link', { name: 'Event subscriptions' }));
    await openRow(page, page.getByRole('row').filter({ hasText: 'Warehouse' }));
    await pressEnterOn(page, page.getByRole('button', { name: 'Delete' }));
    await pressEnterOn(page, page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
    await page.getByText('No event subscriptions').waitFor();
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
});

test('a person adds headers to a subscription, keeps, replaces and removes them, and never sees their values', async () => {
  const account = console.service.first;
  await account.operator('PATCH', '', { settings: { events: true } });
  const page = await console.signIn({ path: '/accounts/1/developers/subscriptions' });
  await page.getByRole('button', { name: 'Create subscription' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('With headers');
  await form.getByLabel('Address').fill('http://127.0.0.1:9/events');
  await pressEnterOn(page, form.getByRole('button', { name: 'Add a header' }));
  // The new field has the focus.
  await page.keyboard.type('X-Token');
  await typeInto(page, form.getByLabel('Value of header 1', { exact: true }), 'first secret');
  await pressEnterOn(page, form.getByRole('button', { name: 'Add a header' }));
  await page.keyboard.type('Two words');
  await typeInto(page, form.getByLabel('Value of header 2', { exact: true }), 'x');
  await pressEnterOn(page, form.getByRole('button', { name: 'Create subscription' }));
  await form.getByRole('group', { name: 'Header 2' }).getByText('must have a header name').waitFor();
  expect(await form.getByRole('group', { name: 'Header 1' }).getByText('must').count()).toBe(0);
  await expectAccessible(page);
  await pressEnterOn(page, form.getByRole('button', { name: 'Remove header 2' }));
  expect(await form.getByText('must have a header name').count()).toBe(0);
  expect(await form.getByRole('button', { name: 'Add a header' }).evaluate((it) => it === document.activeElement)).toBe(
    true,
  );
  await pressEnterOn(page, form.getByRole('button', { name: 'Create subscription' }));
  await pressEnterOn(page, form.getByRole('button', { name: 'Open the subscription' }));
  await page.getByRole('heading', { name: 'With headers' }).waitFor();
  await page.getByRole('definition').filter({ hasText: 'X-Token' }).waitFor();
  const id = page.url().split('/').at(-1)!;
  const stored = async () => {
    const { rows } = await sql<{ headers: unknown }>`select headers from event_subscriptions
      where account_id = 1 and subscription_id = ${id}`.execute(console.service.context.db);
    return rows[0]!.headers;
  };
  expect(await stored()).toEqual([['X-Token', 'first secret']]);

  // Another change leaves the headers alone.
  const save = async (): Promise<void> => {
    await pressEnterOn(page, form.getByRole('button', { name: 'Save' }));
    await form.waitFor({ state: 'hidden' });
  };
  await pressEnterOn(page, page.getByRole('button', { name: 'Edit' }));
  await form.getByText('These headers stay as they are').waitFor();
  await expectAccessible(page);
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed');
  await save();
  await page.getByRole('heading', { name: 'Renamed' }).waitFor();
  expect(await stored()).toEqual([['X-Token', 'first secret']]);

  // So does a person who begins to replace them, and changes their mind.
  await pressEnterOn(page, page.getByRole('button', { name: 'Edit' }));
  await pressEnterOn(page, form.getByRole('button', { name: 'Replace all headers' }));
  await form.getByText('replace all present ones').waitFor();
  await expectAccessible(page);
  await pressEnterOn(page, form.getByRole('button', { name: 'Keep the present headers' }));
  await save();
  expect(await stored()).toEqual([['X-Token', 'first secret']]);

  await pressEnterOn(page, page.getByRole('button', { name: 'Edit' }));
  await pressEnterOn(page, form.getByRole('button', { name: 'Replace all headers' }));
  // A header without a value is not saved by mistake.
  await pressEnterOn(page, form.getByRole('button', { name: 'Save' }));
  const value = form.getByLabel('Value of header 1', { exact: true });
  expect(await value.evaluate((field: HTMLInputElement) => field.validity.valueMissing)).toBe(true);
  expect(await value.getAttribute('type')).toBe('password');
  await page.keyboard.type('second secret');
  await pressEnterOn(page, form.getByRole('button', { name: 'Add a header' }));
  await page.keyboard.type('X-Tenant');
  await typeInto(page, form.getByLabel('Value of header 2', { exact: true }), '7');
  await save();
  await page.getByText('X-Token, X-Tenant').waitFor();
  expect(await stored()).toEqual([
    ['X-Token', 'second secret'],
    ['X-Tenant', '7'],
  ]);

  await pressEnterOn(page, page.getByRole('button', { name: 'Edit' }));
  await pressEnterOn(page, form.getByRole('button', { name: 'Remove all headers' }));
  await form.getByText('all present headers are removed').waitFor();
  await save();
  await page.getByText('X-Token, X-Tenant').waitFor({ state: 'hidden' });
  expect(await stored()).toEqual([]);
});

test('the form of a subscription does not overwrite what somebody else has changed since it was opened', async () => {
  const account = console.service.first;
  await account.operator('PATCH', '', { settings: { events: true } });
  const { body: made } = await account.operator('POST', '/event-subscriptions', {
    name: 'Opened',
    url: 'http://127.0.0.1:9/events',
  });
  const one = `/event-subscriptions/${made.subscription_id}`;
  const page = await console.signIn({ path: `/accounts/1/developers/subscriptions/${made.subscription_id}` });
  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine');
  expect(await account.operator('PATCH', one, { name: 'Changed elsewhere' })).toMatchObject({ status: 200 });
  // Behind the form, the page shows the change.
  await page.locator('h1', { hasText: 'Changed elsewhere' }).waitFor({ state: 'attached' });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Someone else changed this').waitFor();
  expect(await account.operator('GET', one)).toMatchObject({ body: { name: 'Changed elsewhere' } });
});

test('the feed names contacts, and respects masks', async () => {
  // The owner of the service is not a member of the account, and has no permission `unmasked` in it.
  const page = await console.signIn();
  const shop = await console.service.createAccount({ name: 'Shop', primary_key: 'CUSTOMER_ID' });
  const mask = (data_masking: string) =>
    shop.v5('/client/attribute/update', { data: [{ name: 'CUSTOMER_ID', data_masking }] });
  await shop.operator('PATCH', '', { settings: { events: true } });
  await shop.apply('/contact/create', {
    data: {
      contact_type: 'identified',
      contacts: [{ identity: 'CUSTOMER-17', email: 'asha@example.com' }, { identity: 'CUSTOMER-18' }],
    },
  });
  await page.goto(`/console/accounts/${shop.accountId}/developers/events`);
  const row = page.getByRole('row').filter({ hasText: 'contact.created' });
  await row.getByRole('link', { name: 'CUSTOMER-17' }).waitFor();
  await row.getByRole('link', { name: 'CUSTOMER-18' }).click();
  await page.getByRole('heading', { name: 'CUSTOMER-18' }).waitFor();

  expect(await mask('partial')).toMatchObject({ status: 200 });
  await page.goBack();
  await page.reload();
  await row.getByRole('link', { name: '*******R-17' }).waitFor();
  expect(await mask('full')).toMatchObject({ status: 200 });
  await page.reload();
  await row.getByRole('link', { name: 'asha@example.com' }).waitFor();
  await row.getByRole('link', { name: /^Contact \d+$/ }).waitFor();
  expect(await page.getByText('CUSTOMER').count()).toBe(0);
});

test('the feed goes to a position or a time, which the address keeps, and from there to newer events', async () => {
  const page = await console.signIn();
  const { service } = console;
  const shop = await service.createAccount();
  await page.goto(`/console/accounts/${shop.accountId}/developers/events`);
  await page.getByText('No events', { exact: true }).waitFor();
  const field = page.getByRole('textbox', { name: 'Go to position' });
  expect(await field.count()).toBe(0);
  await shop.operator('PATCH', '', { settings: { events: true } });
  const contacts = Array.from({ length: 1300 }, (_, at) => ({ identity: `p${at}@example.com` }));
  await shop.apply('/contact/create', {
    data: { contact_type: 'identified', contacts: contacts.slice(0, 650) },
  });
  await shop.apply('/contact/create', {
    data: { contact_type: 'identified', contacts: contacts.slice(650) },
  });
  await page.reload();
  const top = page.locator('[data-row="0"]');
  const showsFirst = (position: string) => top.getByText(position, { exact: true }).waitFor();
  await showsFirst('1,300');
  expect(await page.getByRole('button', { name: 'Newer' }).count()).toBe(0);
  // As it is copied from the table.
  await typeInto(page, field, '1,010');
  await page.keyboard.press('Enter');
  await showsFirst('1,010');
  await page.waitForURL(/events\?position=1010$/);
  await page.getByText('From position 1,010 back.').waitFor();
  await expectAccessible(page);
  await page.reload();
  await showsFirst('1,010');
  expect(await field.inputValue()).toBe('1010');
  await pressEnterOn(page, page.getByRole('button', { name: 'API call' }));
  await page.getByText(/event-feed\?after=810&limit=200/).waitFor();
  await page.keyboard.press('Escape');

  await pressEnterOn(page, page.getByRole('button', { name: 'Newer' }));
  await showsFirst('1,210');
  // The button keeps the focus.
  await page.keyboard.press('Enter');
  await showsFirst('1,300');
  await page.waitForURL(/events$/);
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.goBack();
  await showsFirst('1,210');
  expect(await field.inputValue()).toBe('1210');
  await pressEnterOn(page, page.getByRole('button', { name: 'Newest' }));
  await showsFirst('1,300');

  // A time, on the clock of the account.
  await sql`update event_groups set occurred_at = now() - interval '90 days'
    where account_id = ${shop.accountId} and last_position <= 650`.execute(service.context.db);
  await pressEnterOn(page, page.getByRole('button', { name: 'Go to time' }));
  const calendar = page.getByRole('dialog', { name: 'Go to time' });
  await calendar.getByRole('button', { name: 'Take this time' }).waitFor();
  await expectAccessible(page);
  // The fifteenth, two months ago.
  await calendar.getByRole('button', { name: 'Previous month' }).click();
  await calendar.getByRole('button', { name: 'Previous month' }).click();
  await calendar.getByRole('button', { name: /^15 / }).click();
  await calendar.getByRole('spinbutton', { name: 'Hours' }).pressSequentially('09');
  await calendar.getByRole('spinbutton', { name: 'Minutes' }).pressSequentially('30');
  await calendar.getByRole('button', { name: 'Take this time' }).click();
  await page
    .getByRole('button', { name: 'Go to time' })
    .getByText(/-15 09:30$/)
    .waitFor();
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await showsFirst('651');
  await page.waitForURL(/events\?position=651$/);
  expect(await field.inputValue()).toBe('651');

  // Positions that the feed does not have.
  await field.fill('99999999999999999999');
  await page.keyboard.press('Enter');
  await page.getByText('The newest event has the position 1,300.').waitFor();
  await showsFirst('1,300');
  expect(await page.getByRole('button', { name: 'Newer' }).isDisabled()).toBe(true);
  await sql`update event_feeds set expired_position = 1100 where account_id = ${shop.accountId}`.execute(
    service.context.db,
  );
  await field.fill('7');
  await page.keyboard.press('Enter');
  await page.getByText('Older events are deleted. The oldest one has the position 1,101.').waitFor();
  await showsFirst('1,101');
  await expectAccessible(page);
  for (const damaged of ['-3', '0', '1.5', 'x', 'true', '[5]', '1e99']) {
    await page.goto(`/console/accounts/${shop.accountId}/developers/events?position=${damaged}`);
    await showsFirst('1,300');
    expect(await field.inputValue()).toBe('');
  }
});

test('a person who may not manage callbacks sees the feed, and no subscriptions', async () => {
  const page = await console.signIn({ role: 'viewer', path: '/accounts/1/developers/events' });
  await page.getByRole('heading', { name: 'Event feed' }).waitFor();
  expect(await page.getByRole('link', { name: 'Event subscriptions' }).count()).toBe(0);
});

test('a calendar has the language of the console', async () => {
  const page = await console.signIn({ locale: 'de-DE', path: '/accounts/1/developers/requests' });
  await page.getByRole('button', { name: 'Alle Tage' }).click();
  const calendar = page.getByRole('dialog', { name: 'Alle Tage' });
  await calendar.getByRole('columnheader', { name: 'Di' }).waitFor();
  const month = new Date().toLocaleDateString('de-DE', { month: 'long', year: 'numeric' });
  await calendar.getByRole('button', { name: month, exact: true }).waitFor();
  await calendar.getByRole('button', { name: 'Voriger Monat' }).click();
  await expectAccessible(page);
});
