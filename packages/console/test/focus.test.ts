import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { forFile } from '../../server/test/support/for-file.ts';
import { startConsole } from './support/console.ts';
import { addPeople, contactsPage, count } from './support/contacts.ts';
import { openRow, pressEnterOn, typeInto } from './support/keyboard.ts';

const web = await forFile(startConsole());
await addPeople(web.service.first);

/** Waits until an element with this role and name has the focus. */
async function expectFocus(page: Page, role: 'heading' | 'button' | 'textbox', name: string): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true });
  await wanted.waitFor();
  await expect.poll(() => wanted.evaluate((element) => element === document.activeElement)).toBe(true);
}

test('the heading of a page has the focus after a person has gone there, but not at first', async () => {
  const page = await web.signIn({ path: '/accounts/1' });
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');

  await pressEnterOn(page, page.getByRole('link', { name: 'Attributes' }));
  await expectFocus(page, 'heading', 'Attributes');
  await openRow(page, page.getByRole('row').filter({ hasText: 'CITY' }));
  await expectFocus(page, 'heading', 'CITY');
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search' }).waitFor();
  await page.keyboard.type('API keys');
  await page.getByRole('button', { name: /API keys/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/developers/api-keys');
  await expectFocus(page, 'heading', 'API keys');
});

test('the row of a table has the focus again after the Back button', async () => {
  const page = await web.signIn({ path: contactsPage });
  await count(page, '450 contacts');
  const row = page.locator('[data-row="3"]');
  await openRow(page, row);
  await page.waitForURL(/\/contacts\/\d+$/);
  await page.getByRole('heading', { name: 'Details' }).waitFor();
  await page.goBack();
  await row.waitFor();
  await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('the button that copies a new key or link has the focus', async () => {
  const page = await web.signIn({ path: '/accounts/1/developers/api-keys' });
  await pressEnterOn(page, page.getByRole('button', { name: 'Create key' }).first());
  await typeInto(page, page.getByRole('textbox', { name: 'Name' }), 'Web shop');
  await page.keyboard.press('Enter');
  await page.getByText('The key was created').waitFor();
  await expectFocus(page, 'button', 'Copy');
  await pressEnterOn(page, page.getByRole('button', { name: 'Close' }));
  await page.getByRole('button', { name: 'Revoke “Web shop”' }).waitFor();

  await page.goto('/console/accounts/1/settings/members');
  await pressEnterOn(page, page.getByRole('button', { name: 'Invite' }).first());
  await typeInto(page, page.getByRole('textbox', { name: 'E-mail address' }), 'noor@example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'Send this link to noor@example.com' }).waitFor();
  await expectFocus(page, 'button', 'Copy');
});

test('a new list of an import is made with the Enter key, and the field keeps the focus', async () => {
  const page = await web.signIn({ path: '/accounts/1/imports/new' });
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('EMAIL\nasha@example.com\n') };
  await page.locator('input[type=file]').setInputFiles(file);
  await typeInto(page, page.getByRole('textbox', { name: 'New list' }), 'Trade fair');
  await page.keyboard.press('Enter');
  await page.getByText('Trade fair', { exact: true }).first().waitFor();
  await expectFocus(page, 'textbox', 'New list');
  await typeInto(page, page.getByRole('textbox', { name: 'New list' }), 'Buyers');
  await pressEnterOn(page, page.getByRole('button', { name: 'Create', exact: true }));
  await page.getByText('Buyers', { exact: true }).first().waitFor();
  await expectFocus(page, 'textbox', 'New list');
});

test('a button has the focus again after its request', async () => {
  const page = await web.signIn({ path: '/accounts/1/settings/account' });
  await typeInto(page, page.getByRole('textbox', { name: 'Name' }), ' again');
  await pressEnterOn(page, page.getByRole('button', { name: 'Save', exact: true }).first());
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  await expectFocus(page, 'button', 'Save');

  await page.route('**/admin/v1/accounts/1/lists', async (route) => {
    const json = { code: 409, status: 'error', description: 'Refused by the test', request_id: null };
    await (route.request().method() === 'POST' ? route.fulfill({ status: 409, json }) : route.continue());
  });
  await page.goto('/console/accounts/1/audiences');
  await pressEnterOn(page, page.getByRole('button', { name: 'Create a list' }).first());
  await typeInto(page, page.getByRole('dialog').getByRole('textbox', { name: 'Name' }), 'Buyers');
  await pressEnterOn(page, page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }));
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await expectFocus(page, 'button', 'Create');
});

test('the control that makes a segment live passes the focus on to the one that ends it, and back', async () => {
  const { body } = await web.service.first.operator('POST', '/segments', {
    name: 'People in Pune',
    filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: 'Pune' }] }],
  });
  const page = await web.signIn({ path: `/accounts/1/audiences/segments/${body.audience_id}?tab=live` });
  await pressEnterOn(page, page.getByRole('button', { name: 'Make it live' }));
  const toggle = page.getByRole('switch', { name: 'Live' });
  await toggle.waitFor();
  await expect.poll(() => toggle.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Space');
  const dialog = page.getByRole('dialog');
  await pressEnterOn(page, dialog.getByRole('button').last());
  await dialog.waitFor({ state: 'detached' });
  await expectFocus(page, 'button', 'Make it live');
});
