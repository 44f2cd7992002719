import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole } from './support/console.ts';
import { addPeople, contactsPage, count } from './support/contacts.ts';
import { openRow, pressEnterOn } from './support/keyboard.ts';

let web: TestConsole;
beforeAll(async () => {
  web = await startConsole();
  await addPeople(web.service.first);
});
afterAll(() => web[Symbol.asyncDispose]());

/** Waits until an element with this role and name has the focus. */
async function expectFocus(page: Page, role: 'heading', name: string): Promise<void> {
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
