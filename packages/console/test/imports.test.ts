import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { Import } from '@roster/client';
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, test, vi } from 'vitest';
import { temporaryDirectory } from '../../embedded-postgres/test/support.ts';
import { forFile } from '../../server/test/support/for-file.ts';
import { parseAllowList } from '../../server/src/platform/config/allow-list.ts';
import { startReceiver } from '../../server/test/callbacks/receiver.ts';
import { expectAccessible } from './support/accessibility.ts';
import { testAdminToken } from '../../server/test/support/context.ts';
import { startConsole } from './support/console.ts';
import { reasons } from '#texts/de/parts/reasons.ts';
import { sentences } from '#texts/de/parts/reason-sentences.ts';
import { createReasonTranslator } from '#texts/translate-reason.ts';
import { holdRequests } from './support/hold-requests.ts';
import { chooseOption, openRow, pressEnterOn, tabTo } from './support/keyboard.ts';

// Each flow has many steps, and axe looks at many pages.
vi.setConfig({ testTimeout: 180_000 });

const { path: directory } = await forFile(temporaryDirectory());
const console = await forFile(startConsole({ config: { callbackAllow: parseAllowList('127.0.0.1') } }));
let jobs = console.service.startJobs();
afterAll(() => jobs[Symbol.asyncDispose]());

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

/** Returns the label of the element that has the focus. */
const focusedName = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

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
  // The focus is where it was, for the next column.
  await expect.poll(() => focusedName(page)).toBe('Change the meaning of Name');

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
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('row');
  await page.getByText('This is not an e-mail address. The row was left out.').waitFor();

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

test('a person chooses the data type and the name of a new column, and can go back to the type in the file', async () => {
  const page = await console.signIn({ path: '/accounts/1/imports/new' });
  await drop(page, 'types.csv', 'EMAIL,Size,Empty,Remark\ntypes@example.com,7,,x\n');
  const table = page.getByRole('grid', { name: 'What the columns mean' });
  const row = (name: string) => table.getByRole('row').filter({ hasText: name });
  await row('Size').getByText('Number, if all rows fit').waitFor();
  await row('Empty').getByText('Found in the file').waitFor();
  await row('Remark').getByText('Text', { exact: true }).waitFor();
  await table.getByRole('button', { name: 'Change the meaning of Size' }).click();
  const dialog = page.getByRole('dialog', { name: 'Column “Size”' });
  const type = dialog.getByRole('combobox', { name: 'Data type' });
  expect(await type.inputValue()).toBe('Found in the file');
  const choose = async (name: string) => {
    await type.click();
    await page.getByRole('option', { name, exact: true }).click();
    await expect.poll(() => type.inputValue()).toBe(name);
  };
  await choose('Number');
  expect(await dialog.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('SIZE');
  await choose('Found in the file');
  await choose('Text');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('shoe_size');
  await type.click();
  expect(await page.getByRole('option', { name: 'Found in the file' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Use this' }).click();
  await row('Size').getByText('New attribute SHOE_SIZE').waitFor();
  await page.getByRole('button', { name: 'Start the import' }).click();
  await page.getByText('Completed').waitFor({ timeout: 30_000 });
  const { body } = await console.service.first.operator('GET', '/attributes?limit=500');
  expect(body.data.find(({ name }: { name: string }) => name === 'SHOE_SIZE').data_type).toBe('text');
});

test('decimal commas are recognized, and a person can choose how numbers are written', async () => {
  const page = await console.signIn({ path: '/accounts/1/imports/new' });
  await drop(page, 'commas.csv', 'EMAIL;Preis;PLZ\ncommas@example.com;99,90;01067\nmore@example.com;1.200,5;10115\n');
  const table = page.getByRole('grid', { name: 'What the columns mean' });
  await table.getByRole('row').filter({ hasText: 'Preis' }).getByText('1.234,50 (decimal comma)').waitFor();
  await table.getByRole('button', { name: 'Change the meaning of Preis' }).click();
  const dialog = page.getByRole('dialog', { name: 'Column “Preis”' });
  const format = dialog.getByRole('combobox', { name: 'How numbers are written' });
  for (const name of ['1234.50', '1.234,50 (decimal comma)']) {
    await format.click();
    await page.getByRole('option', { name, exact: true }).click();
    await expect.poll(() => format.inputValue()).toBe(name);
  }
  await dialog.getByRole('button', { name: 'Use this' }).click();
  await page.getByRole('button', { name: 'Start the import' }).click();
  await page.getByText('Completed').waitFor({ timeout: 30_000 });
  expect(await countOf(page, 'Values left out')).toBe('0');
  const output = { fields: ['PREIS'], sorting: [{ field: 'email' }] };
  const filter = [{ condition_details: [{ field: 'email', operation: 'equals', value: ['more@example.com'] }] }];
  expect(await console.service.first.rows({ filtering_criteria: filter, output })).toEqual([{ PREIS: 1200.5 }]);
});

test('the mapping says what the service would refuse, before anything is sent', async () => {
  const page = await console.signIn({ path: '/accounts/1/imports/new' });
  await drop(page, 'no-key.csv', 'CITY\nPune\n');
  await page.getByRole('alert').getByText('No column is written to EMAIL, the primary key').waitFor();
  await page.getByText('First correct what the columns mean.').waitFor();
  expect(await page.getByRole('button', { name: 'Check first' }).isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Start the import' }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await drop(page, 'twice.csv', 'EMAIL,NAME,NAME\ntwice@example.com,A,B\n');
  await page.getByText('Several columns have the name “NAME”, so they are left out.').waitFor();
  const table = page.getByRole('grid', { name: 'What the columns mean' });
  expect(await table.getByText('Left out', { exact: true }).count()).toBe(2);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Start the import' }).click();
  await page.getByText('Completed').waitFor({ timeout: 30_000 });
  expect(await countOf(page, 'Created')).toBe('1');
});

test('a check is shown below its button, in view, and the next key reaches the buttons', async () => {
  const page = await console.signIn({ path: '/accounts/1/imports/new' });
  await page.setViewportSize({ width: 1440, height: 900 });
  const rows = Array.from({ length: 30 }, (_, at) => `not an address ${at}\n`).join('');
  await drop(page, 'check.csv', `EMAIL\nchecked@example.com\n${rows}`);
  const button = page.getByRole('button', { name: 'Check first' });
  await button.click();
  const result = page.getByText('Check, nothing is written');
  await page.getByRole('grid', { name: 'Rows with problems' }).waitFor();
  for (const part of [button, result, page.getByRole('heading', { name: 'Rows with problems' })]) {
    await expect
      .poll(async () => {
        const { y = -1, height = 0 } = (await part.boundingBox()) ?? {};
        return y >= 48 && y + height <= 900;
      })
      .toBe(true);
  }
  await page.keyboard.press('Tab');
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  // A failure is in view, too.
  await page.context().clearCookies();
  await page.keyboard.press('Enter');
  const failure = page.getByRole('heading', { name: 'You are signed out' });
  await failure.waitFor();
  await expect.poll(async () => ((await failure.boundingBox())?.y ?? 900) < 860).toBe(true);
});

test('a damaged line of a UTF-8 file is named, and no other encoding is chosen in silence', async () => {
  const page = await console.signIn({ path: '/accounts/1/imports/new' });
  const start = page.getByRole('button', { name: 'Start the import' });
  const bad = Buffer.from([0xfc, 0x72, 10]);
  await drop(
    page,
    'damaged.csv',
    Buffer.concat([Buffer.from('EMAIL,CITY\na@example.com,Björn\nb@example.com,J'), bad]),
  );
  await page.getByRole('alert').getByText('Line 3 of the file is not valid UTF-8').waitFor();
  await page.getByText('Other lines have letters in UTF-8').waitFor();
  await page.getByRole('cell', { name: 'Björn', exact: true }).waitFor();
  const encoding = page.getByRole('combobox', { name: 'Encoding' });
  expect(await encoding.inputValue()).toBe('UTF-8');
  expect(await start.isDisabled()).toBe(true);
  await expectAccessible(page);
  // A person can still choose an encoding, and sees the letters that it gives.
  await encoding.click();
  await page.getByRole('option', { name: 'Windows-1252 (Western)' }).click();
  await page.getByRole('cell', { name: 'BjÃ¶rn', exact: true }).waitFor();
  await expect.poll(() => start.isEnabled()).toBe(true);

  // Letters in UTF-8 that come after the beginning of the file count, too.
  await page.getByRole('button', { name: 'Choose another file' }).click();
  const many = Buffer.from('c@example.com,x\n'.repeat(40_000));
  await drop(
    page,
    'late.csv',
    Buffer.concat([Buffer.from('EMAIL,CITY\nb@example.com,J'), bad, many, Buffer.from('d@example.com,Zoë\n')]),
  );
  await page.getByRole('alert').getByText('Line 2 of the file is not valid UTF-8').waitFor();
  expect(await encoding.inputValue()).toBe('UTF-8');

  await page.getByRole('button', { name: 'Choose another file' }).click();
  await drop(page, 'western.csv', Buffer.from('EMAIL,CITY\nwestern@example.com,Köln\n', 'latin1'));
  await page.getByText('Line 2 of the file is not UTF-8, so the file is read as Windows-1252').waitFor();
  await page.getByRole('cell', { name: 'Köln', exact: true }).waitFor();
  await expect.poll(() => start.isEnabled()).toBe(true);
});

test('a narrow window shows what the columns mean, and failed rows are readable without a pointer', async () => {
  const page = await console.signIn({ path: '/accounts/1/imports/new', width: 390, height: 844 });
  const long = `A long column ${'with many words '.repeat(8)}`.trim();
  await drop(page, 'narrow.csv', `EMAIL,${long},AGE\nno address,x,y\nno number,x,y\nnarrow@example.com,x,y\n`);
  const isInside = async (part: Locator) => {
    const { x = -1, width = 999 } = (await part.boundingBox()) ?? {};
    return x >= 0 && x + width <= 390;
  };
  const table = page.getByRole('grid', { name: 'What the columns mean' });
  for (const part of [
    table.getByRole('columnheader', { name: 'Written to' }),
    table.getByRole('button', { name: 'Change the meaning of EMAIL' }),
    table.getByText(long, { exact: true }),
  ])
    await expect.poll(() => isInside(part)).toBe(true);
  const cutTexts = (of: Locator) =>
    of.evaluate((grid) =>
      [...grid.querySelectorAll('[role=gridcell], [role=gridcell] *')]
        .filter((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflow === 'hidden')
        .map((part) => part.textContent),
    );
  expect(await cutTexts(table)).toEqual([]);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Check first' }).click();
  const failures = page.getByRole('grid', { name: 'Rows with problems' });
  await failures.getByText('EMAIL: no address').waitFor();
  await failures.getByText('This is not an e-mail address.').first().waitFor();
  expect(await cutTexts(failures)).toEqual([]);
  expect(await isInside(failures)).toBe(true);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await failures.getByRole('columnheader', { name: 'Value' }).waitFor();
  expect(await cutTexts(failures)).toEqual([]);
  // No row covers the next one.
  expect(await failures.locator('[data-row]').count()).toBe(2);
  await expect
    .poll(async () => {
      const rows = await Promise.all((await failures.locator('[data-row]').all()).map((row) => row.boundingBox()));
      return rows.every((box, at) => at === 0 || box!.y >= rows[at - 1]!.y + rows[at - 1]!.height - 1);
    })
    .toBe(true);
});

test('German pages have German reasons of failures, also with details', async () => {
  const { first } = console.service;
  async function run(file: string | Buffer, body: object = {}) {
    const { import_id: id } = (await first.operator('POST', '/imports', { file_name: 'fehler.csv', ...body })).body;
    const headers = { authorization: `Bearer ${testAdminToken}`, 'content-type': 'text/csv' };
    const url = `/admin/v1/accounts/1/imports/${id}/file`;
    await console.service.call('PUT', url, { body: Buffer.from(file), headers });
    return vi.waitFor(async () => {
      const { body: found } = await first.operator('GET', `/imports/${id}`);
      if (found.finished_at === null) throw new Error('the import has not ended');
      return found as Import;
    }, 30_000);
  }
  const utf16 = Buffer.from('EMAIL,CITY\na@example.com,Pune\n', 'utf16le');
  const keys = (from: number) => Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`K${from + at}`, 1]));
  const create = { unknown_columns: 'create', dry_run: true };
  const failing: [string | Buffer, object?][] = [
    [gzipSync(gzipSync('EMAIL\n'))],
    ['%PDF-1.7'],
    ['PK\u0003\u0004'],
    [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1])],
    [utf16],
    [Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), { encoding: 'utf-8' }],
    [Buffer.concat([utf16, Buffer.from([0])]), { encoding: 'utf-16le' }],
    [Buffer.from('EMAIL\nJ\xfcrgen\n', 'latin1')],
    ['EMAIL,"CITY\na@example.com,x\n'],
    [`EMAIL,${'x'.repeat(300_000)}\n`],
    [`EMAIL,${'x,'.repeat(700)}\n`],
    [`EMAIL,${'x'.repeat(1001)}\n`],
    ['EMAIL,A\0B\n'],
    ['EMAIL,CITY,CITY\n'],
    ['EMAIL,CITY,City\n'],
    ['EMAIL,A\n', { columns: { A: 'EMAIL' } }],
    ['EMAIL\n', { columns: { EMIAL: 'CITY' } }],
    ['EMAIL,A\n', { columns: { A: 'CITTY' } }],
    ['EMAIL,A\n', { columns: { A: 'UPDATED_AT' } }],
    ['EMAIL,Farbe\n'],
    ['EMAIL,Farbe,First nam\n'],
    [await readFile(path.join(import.meta.dirname, '../../server/test/imports/files/hubspot-contacts.csv'))],
    ['EMAIL,7th\n', create],
    [`EMAIL,${Array.from({ length: 500 }, (_, at) => `N${at}`).join(',')}\n`, create],
    ['CITY\n'],
    ['CITY\n', { mode: 'update' }],
    [[keys(0), keys(400)].map((object) => JSON.stringify({ EMAIL: 'a@example.com', ...object })).join('\n'), create],
    [
      `EMAIL;J\n${[keys(0), keys(400)].map((object) => `a@example.com;"${JSON.stringify(object).replaceAll('"', '""')}"`).join('\n')}\n`,
      { columns: { J: { json: true } }, ...create },
    ],
  ];
  const translate = createReasonTranslator({ reasons, sentences });
  for (const [file, body] of failing) {
    const { failure } = await run(file, body);
    expect(failure, String(file).slice(0, 60)).not.toBeNull();
    expect(translate(failure!.message), failure!.message).not.toBe(failure!.message);
  }
  const noted = await run(
    'EMAIL,CONTACT_ID,CREATED_AT,Joined,UPDATED_AT,LIST_ID,SEGMENT_ID,CONTACT_TYPE,EMAIL_OPTED_OUT,IMPORT_LINE,roster:formula_guard,Tags,A,B\n',
    { columns: { Tags: { list_names: true }, A: null, Joined: 'CREATED_AT' }, unknown_columns: 'skip', dry_run: true },
  );
  for (const { note } of noted.columns) if (note !== null) expect(translate(note), note).not.toBe(note);
  expect(noted.columns.filter(({ note }) => note !== null)).toHaveLength(13);

  await run('EMAIL,CITY,CITY\n');
  const rows = `EMAIL,MOBILE\ngerman-1@example.com,12\n${'x'.repeat(256)}@example.com,\n`;
  const { import_id: id } = await run(rows);
  const page = await console.signIn({ locale: 'de-DE', path: `/accounts/1/imports/${id}` });
  await page.getByText('Der Wert muss aus 6 bis 15 Ziffern mit Ländervorwahl bestehen').waitFor();
  await page.getByText('Der Wert darf höchstens 255 Zeichen haben').waitFor();
  await page.goto('/console/accounts/1');
  await page.getByText('Zwei Spalten haben denselben Namen: "CITY".').first().waitFor();
});

test('an import links to its list and to the contacts that changed since it started, and a check links to nothing', async () => {
  const { audience_id: list } = (await console.service.first.operator('POST', '/lists', { name: 'Linked' })).body;
  const page = await console.signIn({ path: '/accounts/1/imports/new' });
  await drop(page, 'linked.csv', 'EMAIL\nlinked-1@example.com\nlinked-2@example.com\n');
  await page.getByRole('combobox', { name: 'Add the contacts to lists' }).click();
  await page.getByRole('option', { name: 'Linked' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Check first' }).click();
  await page.getByText('Every row can be imported.').waitFor();
  expect(await page.getByRole('link', { name: 'Contacts that changed since' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Start the import' }).click();
  await page.getByText('Completed').waitFor({ timeout: 30_000 });
  const links = [
    page.getByRole('link', { name: 'Contacts of the list “Linked”' }),
    page.getByRole('link', { name: /^Contacts that changed since .*, when the import started$/ }),
  ];
  for (const link of links) {
    await link.click();
    await page.getByText('linked-1@example.com').waitFor();
    await page.getByText('linked-2@example.com').waitFor();
    // Contacts of the other tests changed earlier, and are on other lists.
    expect(await page.getByText('@example.com').count()).toBe(2);
    await expectAccessible(page);
    await page.goBack();
  }
  await links[0]!.waitFor();
  expect(await links[0]!.getAttribute('href')).toContain(`/audiences/lists/${list}`);
});

test('the end of an import has a message on other pages, and every tab shows the new contacts', async () => {
  // The import waits until both tabs show another page.
  await jobs[Symbol.asyncDispose]();
  const page = await console.signIn({ path: '/accounts/1/imports/new' });
  await drop(page, 'ended.csv', 'EMAIL\nnew@ended.example\nnot an address\n');
  await page.getByRole('button', { name: 'Start the import' }).click();
  await page.getByRole('heading', { name: 'ended.csv' }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Contacts' }).first().click();
  await page.getByRole('heading', { name: 'Contacts', exact: true }).waitFor();
  const filter = encodeURIComponent('["and",["and",["email","ends_with","@ended.example"]]]');
  const other = await console.signIn({ path: `/accounts/1/contacts?filter=${filter}` });
  await other.getByRole('heading', { name: 'No contact matches' }).waitFor();
  await other.getByRole('button', { name: '1 task is running' }).waitFor();
  jobs = console.service.startJobs();
  await other.getByText('new@ended.example').first().waitFor();
  const message = page.getByRole('alert').filter({ hasText: 'Import complete' });
  await message.getByText('ended.csv · 1 row failed').waitFor();
  await expectAccessible(page);
  // It is for the tab in which the import was started.
  expect(await other.getByText('Import complete').count()).toBe(0);
  await message.getByRole('link', { name: 'Show the result' }).click();
  await page.getByRole('heading', { name: 'ended.csv' }).waitFor();
  await message.waitFor({ state: 'detached' });
});

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

test('a file with 500 columns, long cells and right-to-left text is shown, and a spreadsheet and a picture are refused', async () => {
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
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await page.setInputFiles('input[type=file]', {
    name: 'contacts.csv',
    mimeType: 'text/csv',
    // The beginning of a PNG.
    buffer: Buffer.from('89504e470d0a1a0a0000000d494844520000050000000320080600000063a1c4f9', 'hex'),
  });
  await page.getByText('This is not a text file.').waitFor();
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
  // The newest of these has failed rows.
  await page.getByRole('grid', { name: 'Imports' }).getByText('fehler.csv').first().click();
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

for (const { part, request } of [
  { part: 'the file is being sent', request: '**/file' },
  { part: 'the import is being created', request: '**/imports' },
]) {
  test(`a person who leaves the page while ${part} stays on the other page, and the import is cancelled`, async () => {
    const page = await console.signIn({ path: '/accounts/1/imports/new' });
    const name = `left-${request.slice(3)}.csv`;
    await drop(page, name, 'EMAIL\nleft@example.com\n');
    const held = await holdRequests(page, request);
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void dialog.accept();
    });
    await page.getByRole('button', { name: 'Start the import' }).click();
    await held.arrived;
    expect(await page.getByRole('button', { name: 'Choose another file' }).isDisabled()).toBe(true);
    await page.getByRole('navigation').getByRole('link', { name: 'Contacts' }).first().click();
    await page.getByRole('heading', { name: 'Contacts', exact: true }).waitFor();
    expect(questions).toEqual(['The file is still being sent. If you leave this page, sending stops. Leave it?']);
    held.release();
    const found = async (): Promise<Import | undefined> =>
      (await console.service.first.operator('GET', '/imports')).body.data.find(
        ({ file_name: one }: Import) => one === name,
      );
    await expect.poll(async () => (await found())?.status).toMatch(/cancelled|completed/);
    expect((await found())?.status).toBe('cancelled');
    expect(new URL(page.url()).pathname).toBe('/console/accounts/1/contacts');
  });
}
