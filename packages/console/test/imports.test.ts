import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parseAllowList } from '../../server/src/platform/config/allow-list.ts';
import { startReceiver } from '../../server/test/callbacks/receiver.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole, type TestConsole } from './support/console.ts';
import { chooseOption, openRow, pressEnterOn, tabTo } from './support/keyboard.ts';

// Each flow has many steps, and axe looks at many pages.
vi.setConfig({ testTimeout: 180_000 });

let console: TestConsole;
let jobs: AsyncDisposable;
let directory: string;
beforeAll(async () => {
  console = await startConsole({ config: { callbackAllow: parseAllowList('127.0.0.1') } });
  jobs = console.service.startJobs();
  directory = await mkdtemp(path.join(os.tmpdir(), 'roster-imports-'));
}, 120_000);
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
  await jobs[Symbol.asyncDispose]();
  await console[Symbol.asyncDispose]();
});

async function drop(page: Page, name: string, content: string | Buffer): Promise<void> {
  await page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(content) });
  await page.getByRole('heading', { name: 'What the columns mean' }).waitFor();
}

/** Chooses a file in the dialog of the browser, which the Enter key opens. */
async function choose(page: Page, name: string, content: string): Promise<void> {
  // Before the way to the button, as the browser needs a moment until it reports the dialog.
  const opened = page.waitForEvent('filechooser');
  await pressEnterOn(page, page.getByRole('button', { name: 'Choose a file' }));
  const chooser = await opened;
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
  await page.getByRole('heading', { name: 'What the columns mean' }).waitFor();
}

const countOf = async (page: Page, label: string) =>
  page.locator('dt').getByText(label, { exact: true }).locator('xpath=following-sibling::*[1]').innerText();

test('a person imports a file with errors, fixes the failed rows, and imports them again with the keyboard alone', async () => {
  const page = await console.signIn({ path: '/accounts/1/imports' });
  await page.getByText('Bring your contacts here').waitFor();
  await expectAccessible(page);
  await pressEnterOn(page, page.getByRole('link', { name: 'Import a file' }).first());
  await page.getByText('Drop a file here').waitFor();
  await expectAccessible(page);

  const rows = [
    'E-mail address;Name;Signed up;Tags;Points',
    'asha@example.com;Asha;31.01.2024;VIP, Tea;5',
    'not an address;Ben;30.01.2024;Tea;7',
    'zoe@example.com;"Zoë <b>Müller</b>";29.01.2024;;8',
  ];
  await choose(page, 'people.csv', `${rows.join('\n')}\n`);
  const table = page.getByRole('grid', { name: 'What the columns mean' });
  await table.getByText('E-mail address').nth(1).waitFor();
  await table.getByText('Sign-up date').waitFor();
  await table.getByText('31.01.2024 (day first)').waitFor();
  await table.getByText('Lists, by their names').waitFor();
  await table.getByText('New attribute POINTS').waitFor();
  await expectAccessible(page);

  await pressEnterOn(page, table.getByRole('button', { name: 'Change the meaning of Name' }));
  const dialog = page.getByRole('dialog', { name: 'Column “Name”' });
  await tabTo(page, dialog.getByRole('combobox', { name: 'Written to' }));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('FIRST');
  await chooseOption(page, 'FIRST_NAME');
  await expectAccessible(page);
  await pressEnterOn(page, dialog.getByRole('button', { name: 'Use this' }));
  await table.getByText('FIRST_NAME').waitFor();

  await pressEnterOn(page, page.getByRole('button', { name: 'Check first' }));
  await page.getByText('The rows below would fail').waitFor();
  expect(await countOf(page, 'Created')).toBe('2');
  expect(await countOf(page, 'Failed')).toBe('1');
  expect((await console.service.first.operator('GET', '/lists')).body.data).toMatchObject([{ name: 'First list' }]);
  // The report is only about the settings that were checked.
  await page.getByRole('radio', { name: 'Only update' }).click();
  await page.getByText('changed after the check').waitFor();
  expect(await page.getByText('The rows below would fail').count()).toBe(0);
  await page.getByRole('radio', { name: 'Create and update' }).click();
  await page.getByText('The rows below would fail').waitFor();

  await pressEnterOn(page, page.getByRole('button', { name: 'Start the import' }));
  await page.waitForURL(/\/imports\/[\da-f-]{36}$/);
  await page.getByRole('grid', { name: 'Rows with problems' }).getByText('not an address').waitFor();
  // The page of the import and the history say the same.
  await page.getByText('Partly failed').waitFor();
  await expectAccessible(page);
  await openRow(
    page,
    page.getByRole('grid', { name: 'Rows with problems' }).getByRole('row').filter({ hasText: 'not an address' }),
  );
  await page.getByRole('dialog', { name: 'Line 3' }).getByText('Ben').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  const download = page.waitForEvent('download');
  await pressEnterOn(page, page.getByRole('link', { name: 'Download as CSV' }));
  const failed = (await buffer(await (await download).createReadStream())).toString();
  await pressEnterOn(page, page.getByRole('link', { name: 'Import the fixed file' }));
  await page.getByRole('heading', { name: 'Import with the same mapping' }).waitFor();
  await choose(page, 'fixed.csv', failed.replace('not an address', 'ben@example.com'));
  await table.getByText('FIRST_NAME').waitFor();
  await pressEnterOn(page, page.getByRole('button', { name: 'Start the import' }));
  await page.getByRole('heading', { name: 'fixed.csv' }).waitFor();
  await page.getByText('Completed').waitFor({ timeout: 30_000 });
  expect(await countOf(page, 'Created')).toBe('1');

  const contacts = await console.service.context.db.selectFrom('contacts').selectAll().orderBy('contact_key').execute();
  expect(
    contacts.map(({ contact_key, list_ids, created_at }) => [contact_key, list_ids, created_at.toISOString()]),
  ).toEqual([
    ['asha@example.com', [2, 3], '2024-01-31T00:00:00.000Z'],
    ['ben@example.com', [3], '2024-01-30T00:00:00.000Z'],
    ['zoe@example.com', [], '2024-01-29T00:00:00.000Z'],
  ]);
  await page.getByRole('link', { name: 'Imports' }).first().click();
  await page.getByRole('grid', { name: 'Imports' }).getByText('Partly failed').first().waitFor();
  await expectAccessible(page);
}, 120_000);

test('files of other programs are recognized, and keep their opt-outs', async () => {
  const page = await console.signIn({ path: '/accounts/1/imports/new' });
  const files = path.join(import.meta.dirname, '../../server/test/imports/files');
  await drop(page, 'unsubscribed.csv', await readFile(path.join(files, 'mailchimp-unsubscribed.csv')));
  await page.getByText('Mailchimp: audience').waitFor();
  await page.getByRole('button', { name: 'Start the import' }).click();
  await page.getByText('Completed').waitFor({ timeout: 30_000 });
  const ben = await console.service.context.db
    .selectFrom('contacts')
    .where('contact_key', '=', 'ben@example.com')
    .select('email_opted_out')
    .executeTakeFirstOrThrow();
  expect(ben.email_opted_out).toBe(true);
});

test('an upload continues after the connection was broken', async () => {
  const page = await console.signIn({ path: '/accounts/1/imports/new' });
  const file = path.join(directory, 'many.csv');
  await writeFile(file, `EMAIL\n${Array.from({ length: 400_000 }, (_, at) => `many-${at}@example.com\n`).join('')}`);
  await page.setInputFiles('input[type=file]', file);
  await page.getByRole('heading', { name: 'What the columns mean' }).waitFor();
  let parts = 0;
  await page.route('**/file', async (route) => {
    if (++parts === 2) {
      await page.context().setOffline(true);
      await route.abort('internetdisconnected');
    } else await route.continue();
  });
  await page.getByRole('button', { name: 'Check first' }).click();
  await page.getByText('The connection is broken').waitFor({ timeout: 60_000 });
  await expectAccessible(page);
  await page.context().setOffline(false);
  await page.getByText('Check, nothing is written').waitFor({ timeout: 60_000 });
  expect(parts).toBeGreaterThan(2);
});

test('a file with 500 columns, long cells and right-to-left text is shown, and a spreadsheet is refused', async () => {
  const page = await console.signIn({ path: '/accounts/1/imports/new' });
  const headers = ['EMAIL', ...Array.from({ length: 499 }, (_, at) => `Column ${at}`)];
  const cells = headers.map((_, at) =>
    (at === 0 ? 'a@example.com' : at === 1 ? 'x'.repeat(10_000) : 'שלום, =1+1').replaceAll(',', ' '),
  );
  await drop(page, 'wide.csv', `${headers.join(',')}\n${cells.join(',')}\n`);
  await page.getByText('kB · 500 columns').waitFor();
  await page.getByText('470 more columns are not shown here.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await page.setInputFiles('input[type=file]', {
    name: 'table.xlsx',
    mimeType: 'application/zip',
    buffer: Buffer.from('PK\u0003\u0004 a spreadsheet'),
  });
  await page.getByText('This is a spreadsheet or an archive.').waitFor();
});

test('a file without rows cannot be started, and the preview says which lines are damaged', async () => {
  const page = await console.signIn({ path: '/accounts/1/imports/new' });
  await drop(page, 'header.csv', 'EMAIL,FIRST_NAME\n');
  await page.getByText('The file has only a header, and no rows.').waitFor();
  await page.getByRole('status').getByText('2 columns', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Start the import' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await drop(page, 'people.ndjson', '{"EMAIL":"a@example.com"}\nnot json\n{"EMAIL":"b@example.com"}\n');
  await page.getByText('One of the first lines is not a JSON object.').waitFor();
  // A person who leaves would choose the file and the columns again.
  const questions: string[] = [];
  page.once('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await expect.poll(() => questions).toEqual(['Leave this page? Your changes are not saved.']);
  expect(await page.getByRole('button', { name: 'Start the import' }).isEnabled()).toBe(true);
});

test('a viewer sees imports, but no failed rows and no way to import', async () => {
  const page = await console.signIn({ role: 'viewer', path: '/accounts/1/imports' });
  await page.getByRole('grid', { name: 'Imports' }).getByText('people.csv').first().click();
  await page.getByText('Result', { exact: true }).waitFor();
  expect(await page.getByText('Rows with problems').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Run again' }).count()).toBe(0);
});

test('an import that fetches its file shows its source and how much has arrived, and can be cancelled', async () => {
  await using server = await startReceiver((response) => void response.write(`EMAIL\n${'a'.repeat(2048)}`));
  const account = console.service.first;
  const created = await account.operator('POST', '/imports', {
    source_url: `http://127.0.0.1:${server.port}/fetched.csv?key=hidden`,
    notify_email: 'asha@example.com',
  });
  expect(created.status).toBe(201);
  const page = await console.signIn({ path: `/accounts/${account.accountId}/imports` });
  await page.getByText('Fetching the file').last().waitFor();
  await page.getByText('fetched.csv').click();
  await page.getByText(/^[\d.]+ \S+ of the file fetched$/).waitFor();
  await page.getByText(`http://127.0.0.1:${server.port}/fetched.csv`, { exact: true }).waitFor();
  await page.getByText('asha@example.com', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel the import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the import' }).click();
  await page.getByText('Cancelled').first().waitFor();
  await expectAccessible(page);
});
