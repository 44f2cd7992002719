import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole, type TestConsole } from './support/console.ts';

let web: TestConsole;
let jobs: AsyncDisposable;
let directory: string;
const contacts = 450;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'roster-console-'));
  web = await startConsole({ config: { dataDir: directory } });
  jobs = web.service.startJobs();
  const { first } = web.service;
  await first.apply('/client/attribute/create', {
    data: [{ name: 'CARD', data_type: 'text', data_masking: 'full' }],
  });
  await first.apply('/contact/create', {
    data: {
      contact_type: 'identified',
      contacts: Array.from({ length: contacts }, (_, at) => ({
        identity: `person${at}@example.com`,
        mobile: String(919_800_000_000 + at),
        attributes: {
          FIRST_NAME: at === 7 ? '<img src=x onerror=alert(1)>' : at === 8 ? 'שלום עולם' : `First ${at}`,
          LAST_NAME: at === 9 ? 'x'.repeat(1000) : `Last ${at}`,
          CITY: at % 3 === 0 ? 'Pune' : 'Goa',
          CARD: `4000 0000 0000 ${1000 + at}`,
          BIRTH_DATE: `19${50 + (at % 50)}-05-05`,
        },
      })),
    },
  });
});
afterAll(async () => {
  await jobs[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const contactsPage = '/accounts/1/contacts';
const count = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).first().waitFor();

/** Adds a condition at the end of the builder, with the keyboard only. */
async function addCondition(page: Page, field: string, operation: string): Promise<void> {
  if ((await page.getByRole('combobox', { name: 'Field' }).last().inputValue()) !== '') {
    await page.getByRole('button', { name: 'Add a condition' }).last().press('Enter');
  }
  await choose(page, 'Field', field);
  await choose(page, 'Operation', operation);
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  const input = page.getByRole('combobox', { name: label, exact: true }).last();
  await input.click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('a segment of three conditions can be built, saved and exported, and its file downloaded', async () => {
  const page = await web.signIn({ path: contactsPage });
  await count(page, '450 contacts');
  await page.getByRole('button', { name: 'Filter' }).click();
  await addCondition(page, 'CITY', 'is');
  await page.getByRole('combobox', { name: 'Value' }).last().fill('Pune');
  await page.keyboard.press('Enter');
  await count(page, '150 contacts');
  await addCondition(page, 'Mobile', 'begins with');
  await page.getByRole('textbox', { name: 'Value' }).last().fill('9198000000');
  await count(page, '34 contacts');
  await addCondition(page, 'Opted out of e-mail', 'is');
  await page.getByRole('radio', { name: 'no' }).last().press(' ');
  await count(page, '34 contacts');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Save as segment' }).click();
  await page
    .getByText('CITY is “Pune” and Mobile begins with 9198000000 and Opted out of e-mail is no')
    .last()
    .waitFor();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Pune, first hundred');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Pune, first hundred' }).waitFor();
  await count(page, '34 contacts');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'Start the export' }).click();
  await page.getByText('34 rows').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download the file' }).click(),
  ]);
  const rows = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(rows).toHaveLength(35);
  expect(rows[0]).toContain('EMAIL,MOBILE,FIRST_NAME');
  expect(rows.slice(1).every((row) => row.includes(',Pune,'))).toBe(true);
});

test('the address keeps filter, columns and order, and a damaged filter shows no contacts', async () => {
  const page = await web.signIn({ path: contactsPage });
  await page.getByRole('columnheader', { name: 'FIRST_NAME' }).getByRole('button').click();
  await page.waitForURL(/sort=FIRST_NAME/);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'BIRTH_DATE' }).check();
  await page.waitForURL(/columns=.*BIRTH_DATE/);
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByRole('columnheader', { name: 'BIRTH_DATE' }).waitFor();
  await expect
    .poll(() => page.getByRole('columnheader', { name: 'FIRST_NAME' }).getAttribute('aria-sort'))
    .toBe('ascending');
  await page.goBack();
  await expect.poll(() => page.getByRole('columnheader', { name: 'BIRTH_DATE' }).count()).toBe(0);

  for (const filter of ['["and",["and",["CITY"]]]', '["and",["and",["TOWN","equals","x"]]]', 'x']) {
    await page.goto(`/console${contactsPage}?filter=${encodeURIComponent(filter)}`);
    await page.getByRole('alert').filter({ hasText: 'The filter in the address is damaged' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(0);
  }
  await page.getByRole('button', { name: 'Show all contacts' }).click();
  await count(page, '450 contacts');
});

test('quick find opens a contact with the keyboard only', async () => {
  const page = await web.signIn({ path: contactsPage });
  await page.getByRole('combobox', { name: 'Find a contact' }).fill('+91 98000 00042');
  await page.getByRole('option').filter({ hasText: 'person42@example.com' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/contacts\/\d+$/);
});

test('a change of many contacts needs the exact number, and shows its result', async () => {
  const page = await web.signIn({ path: contactsPage });
  await count(page, '450 contacts');
  await page.getByRole('checkbox', { name: 'Select the loaded contacts' }).click();
  await page.getByRole('button', { name: 'Select all 450 contacts that match' }).click();
  await page.getByRole('button', { name: 'Add to a list' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to a list' });
  await dialog.getByRole('textbox', { name: 'Create a list with this name' }).fill('Everyone');
  await dialog.getByText('This affects 450 contacts.').waitFor();
  const confirm = dialog.getByRole('button', { name: 'Add to a list' });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: 'Type 450 to confirm' }).fill('45');
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: 'Type 450 to confirm' }).fill('450');
  await confirm.click();
  await page.getByText('450 changed, 0 unchanged, 0 failed').waitFor();

  await page.goto('/console/accounts/1/audiences');
  await page.getByRole('row').filter({ hasText: 'Everyone' }).filter({ hasText: '+450' }).waitFor();
});

test('values are text: HTML is not run, long and right-to-left values fit', async () => {
  const filter = encodeURIComponent(
    '["and",["and",["email","equals","person7@example.com","person8@example.com","person9@example.com"]]]',
  );
  const page = await web.signIn({ path: `${contactsPage}?filter=${filter}&columns=email,FIRST_NAME,LAST_NAME` });
  await count(page, '3 contacts');
  await page.getByRole('gridcell', { name: '<img src=x onerror=alert(1)>' }).waitFor();
  await page.getByRole('gridcell', { name: 'שלום עולם' }).waitFor();
  expect(await page.locator('img[src="x"]').count()).toBe(0);
  const long = page.getByRole('gridcell').filter({ hasText: 'xxxxxxxxxx' });
  expect((await long.textContent())!.length).toBeLessThan(300);
});

test('a viewer sees masked values as masked, and nothing to change contacts', async () => {
  const page = await web.signIn({ role: 'viewer', path: `${contactsPage}?columns=email,CARD` });
  await count(page, '450 contacts');
  await page.getByRole('gridcell', { name: 'Masked: you may not see this value ****' }).first().waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(await page.getByRole('columnheader', { name: 'CARD' }).getByRole('button').count()).toBe(0);
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('combobox', { name: 'Field' }).fill('CA');
  expect(await page.getByRole('option', { name: 'CARD' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await expectAccessible(page);
});

test('scrolling through all contacts shows each of them once', async () => {
  const page = await web.signIn({ path: contactsPage });
  await count(page, '450 contacts');
  const seen = new Set<string>();
  await page.getByRole('gridcell').filter({ hasText: '@example.com' }).first().waitFor();
  await page.locator('[data-row="0"]').focus();
  while (seen.size < contacts) {
    const before = await page.evaluate(() => document.activeElement?.getAttribute('data-row'));
    for (const text of await page.getByRole('gridcell').filter({ hasText: '@example.com' }).allTextContents()) {
      seen.add(text);
    }
    if (seen.size === contacts) break;
    await page.keyboard.press('PageDown');
    await page.waitForFunction((row) => document.activeElement?.getAttribute('data-row') !== row, before);
  }
  expect(seen.size).toBe(contacts);
  await page.getByText('450 rows').waitFor();
});

test('texts are German for German readers, also in a narrow window', async () => {
  const page = await web.signIn({ path: `${contactsPage}?build=true`, locale: 'de-DE', width: 375 });
  await page.getByRole('heading', { name: 'Kontakte' }).waitFor();
  await count(page, '450 Kontakte');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await expectAccessible(page);
});
