import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../embedded-postgres/test/support.ts';
import { forFile } from '../../server/test/support/for-file.ts';
import { expectAccessible } from './support/accessibility.ts';
import { holdRequests, loseAnswer } from './support/hold-requests.ts';
import { startConsole } from './support/console.ts';

const { path: directory } = await forFile(temporaryDirectory());
const web = await forFile(startConsole({ config: { dataDir: directory, filesPerAccountMb: 100 } }));
await forFile(web.service.startJobs());
await web.service.first.operator('PATCH', '', { settings: { auto_create_attributes: true } });
await web.service.first.apply('/contact/create', {
  data: {
    contact_type: 'identified',
    contacts: Array.from({ length: 12 }, (_, at) => ({
      identity: `p${String(at).padStart(2, '0')}@example.com`,
      attributes: { CITY: at % 2 === 0 ? 'Pune' : '<b>Goa</b>' },
      audience_details: [{ audience_id: 1 }],
    })),
  },
});

test('the Enter key takes the column that was typed, and does not start the export', async () => {
  const page = await web.signIn({ path: '/accounts/1/exports/new?audience_type=list&audience_id=1' });
  await page.getByRole('combobox', { name: 'Columns' }).click();
  await page.keyboard.type('cit');
  await page.getByRole('option', { name: 'CITY', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  const preview = page.getByRole('region', { name: 'Preview' }).first();
  await preview.getByRole('columnheader', { name: 'CITY' }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/exports\/new$/);
});

test('the Enter key does not start the export while a list is open', async () => {
  const page = await web.signIn({ path: '/accounts/1/exports/new?audience_type=list&audience_id=1' });
  await page.getByRole('combobox', { name: 'Columns' }).click();
  await page.getByRole('option', { name: 'CITY', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('cit');
  await page.getByRole('option', { name: 'EMAIL', exact: true }).waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await page.getByRole('columnheader', { name: 'CITY' }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/exports\/new$/);
  expect((await web.service.first.operator('GET', '/exports')).body.data).toEqual([]);
});

test('a list is previewed, exported and downloaded', async () => {
  const page = await web.signIn({ path: '/accounts/1/exports' });
  await page.getByRole('heading', { name: 'No exports yet' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'New export' }).first().click();
  await page.getByRole('combobox', { name: 'List' }).click();
  await page.getByRole('option', { name: /First list/ }).click();
  await page.getByRole('combobox', { name: 'Columns' }).click();
  await page.getByRole('option', { name: 'EMAIL', exact: true }).click();
  await page.getByRole('option', { name: 'CITY', exact: true }).click();
  await page.keyboard.press('Escape');
  const preview = page.getByRole('region', { name: 'Preview' }).first();
  await preview.getByRole('cell', { name: 'p00@example.com' }).waitFor();
  // Values are never HTML.
  await preview.getByRole('cell', { name: '<b>Goa</b>' }).first().waitFor();
  expect(await preview.getByRole('row').count()).toBe(11);
  await preview.getByText('The file will have 12 rows.').waitFor();
  // The address has the choices, so a copied link shows the same.
  expect(page.url()).toContain('audience_id=1');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Start the export' }).click();
  await page.getByText('Completed', { exact: true }).waitFor();
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  expect(text.split('\r\n').slice(0, 2)).toEqual(['EMAIL,CITY', 'p00@example.com,Pune']);

  await page.getByRole('link', { name: 'Schedule this' }).click();
  const form = page.getByRole('dialog', { name: 'New schedule' });
  expect(await form.getByRole('combobox', { name: 'List' }).inputValue()).toBe('First list (1)');
  await form.getByText('CITY', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL(/\/exports\/schedules$/);
});

test('the preview shows the exact number of rows for a filter and for a segment', async () => {
  const filter = {
    filtering_criteria: [{ condition_details: [{ field: 'EMAIL', operation: 'starts_with', value: ['p'] }] }],
  };
  const { body } = await web.service.first.operator('POST', '/segments', { name: 'Beginning with p', ...filter });
  const page = await web.signIn({ path: `/accounts/1/exports/new?filter=${JSON.stringify(filter)}` });
  const preview = page.getByRole('region', { name: 'Preview' }).first();
  await preview.getByText('The file will have 12 rows.').waitFor();
  expect(await preview.getByRole('row').count()).toBe(1 + 10);
  await expectAccessible(page);
  await page.goto(`/console/accounts/1/exports/new?audience_type=segment&audience_id=${body.audience_id}`);
  await preview.getByText('The file will have 12 rows.').waitFor();
});

test('the preview says how many people in the file opted out of e-mail', async () => {
  const { first } = web.service;
  const contacts = [
    { identity: 'gone@example.org', subscriptions: { email: false } },
    { identity: 'here@example.org' },
  ];
  await first.apply('/contact/create', { data: { contact_type: 'identified', contacts } });
  const filter = {
    filtering_criteria: [{ condition_details: [{ field: 'EMAIL', operation: 'ends_with', value: ['@example.org'] }] }],
  };
  const page = await web.signIn({ path: `/accounts/1/exports/new?filter=${JSON.stringify(filter)}` });
  const preview = page.getByRole('region', { name: 'Preview' }).first();
  await preview.getByText('The file will have 2 rows.').waitFor();
  await preview.getByText('1 of them opted out of e-mail. To send e-mail, leave them out.').waitFor();
  await expectAccessible(page);
  await page.getByRole('combobox', { name: 'Leave out' }).click();
  await page.getByRole('option', { name: 'Who opted out of e-mail' }).click();
  await preview.getByText('The file will have 1 row.').waitFor();
  expect(await preview.getByText(/opted out of e-mail/).count()).toBe(0);
  await first.apply('/contact/delete', { data: { contacts: contacts.map(({ identity }) => ({ identity })) } });
});

test('the preview shows a marked estimate when the rows cannot be counted', async () => {
  const page = await web.signIn({ failsRequests: true });
  await page.route('**/exports/preview', (route) =>
    route.request().postDataJSON().get_count === true
      ? route.fulfill({ status: 403, json: { code: 403, status: 'error', description: 'No', request_id: null } })
      : route.fallback(),
  );
  await page.goto('/console/accounts/1/exports/new?filter={}');
  const preview = page.getByRole('region', { name: 'Preview' }).first();
  await preview.getByText(/^Could not count. Estimate for the whole file: \d+ rows\.$/).waitFor();
  expect(await preview.getByText(/^The file will have/).count()).toBe(0);
});

test('an export whose answer was lost is shown in the list, and the form says that it may have started', async () => {
  const page = await web.signIn({ path: '/accounts/1/exports?status=cancelled', failsRequests: true });
  const count = async () => (await web.service.first.operator('GET', '/exports')).body.data.length as number;
  const before = await count();
  await page.getByRole('link', { name: 'New export' }).first().click();
  await page.getByText('All contacts', { exact: true }).click();
  await loseAnswer(page, '**/exports');
  await page.getByRole('button', { name: 'Start the export' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'No answer' });
  await alert.getByText('look whether it is done before you try again').waitFor();
  expect(await page.getByText('The export was not started').count()).toBe(0);
  expect(await count()).toBe(before + 1);
  expect(await page.getByRole('radio', { name: 'All contacts' }).isChecked()).toBe(true);
});

test('the tray shows the work on every page, and leads to it', async () => {
  const page = await web.signIn({ path: '/accounts/1/settings' });
  await page.getByRole('button', { name: 'Nothing is running' }).waitFor();
  const { body } = await web.service.first.operator('POST', '/exports', { filter: {} });
  await page.getByRole('button', { name: /is running|Nothing is running/ }).click();
  const tray = page.getByRole('dialog', { name: 'Running work' });
  await tray.getByRole('link', { name: 'Export: contacts' }).first().waitFor();
  await expectAccessible(page);
  await tray.getByRole('link', { name: 'Export: contacts' }).first().click();
  await page.waitForURL(new RegExp(`/exports/${body.request_id}$`));
});

test('a person who leaves the page while an export starts stays on the other page, and gets a link to it', async () => {
  const page = await web.signIn({ path: '/accounts/1/exports/new?filter={}' });
  const held = await holdRequests(page, '**/exports');
  await page.getByRole('button', { name: 'Start the export' }).click();
  await held.arrived;
  await page.getByRole('navigation').getByRole('link', { name: 'Imports' }).click();
  await page.getByRole('heading', { name: 'Imports' }).waitFor();
  held.release();
  await page.getByText('The export has started').waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/accounts/1/imports');
  await expectAccessible(page);
  const link = page.getByRole('link', { name: 'Show the export' });
  expect(await link.getAttribute('href')).toMatch(/^\/console\/accounts\/1\/exports\/[\da-f-]{36}$/);
  // The end of the export has a message, too.
  await page.getByText('Export complete').waitFor();
  await page.getByRole('link', { name: 'Show the result' }).click();
  await page.waitForURL(/\/exports\/[\da-f-]{36}$/);
  await page.getByText('Export complete').waitFor({ state: 'detached' });
});

test('a schedule is created, run, changed and deleted', async () => {
  const page = await web.signIn({ path: '/accounts/1/exports/schedules' });
  await page.getByRole('heading', { name: 'No schedules yet' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New schedule' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Every Monday');
  await page.getByText('All contacts', { exact: true }).click();
  await page.getByRole('combobox', { name: 'When' }).click();
  await page.getByRole('option', { name: 'Every month' }).click();
  const day = page.getByRole('textbox', { name: 'On day' });
  await day.fill('');
  await page.getByRole('button', { name: 'Create the schedule' }).click();
  await page.getByText('Enter a whole number from 1 to 31.').waitFor();
  expect(await day.inputValue()).toBe('');
  // A field that is not shown keeps no form from being sent.
  await page.getByRole('combobox', { name: 'When' }).click();
  await page.getByRole('option', { name: 'Every week' }).click();
  // The Escape key asks before it closes a form with entries.
  const question = page.waitForEvent('dialog').then(async (asked) => {
    await asked.dismiss();
    return asked.message();
  });
  await page.getByRole('textbox', { name: 'Name' }).press('Escape');
  expect(await question).toBe('Close the form? Your entries are not saved.');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create the schedule' }).click();
  const row = page.getByRole('row', { name: /Every Monday/ });
  await row.getByText('Monday, 06:30').waitFor();
  await row.getByText('Active').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Actions for Every Monday' }).click();
  await page.getByRole('menuitem', { name: 'Run now' }).click();
  await page.getByText('by hand').waitFor();
  await page.getByRole('dialog').getByText('Completed').waitFor({ timeout: 20_000 });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Actions for Every Monday' }).click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await row.getByText('Paused').waitFor();
  await page.getByRole('button', { name: 'Actions for Every Monday' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No schedules yet' }).waitFor();
});

test('a viewer sees exports, but no files, and cannot start any', async () => {
  const page = await web.signIn({ role: 'viewer', path: '/accounts/1/exports' });
  await page.getByRole('row', { name: /First list/ }).waitFor();
  expect(await page.getByRole('link', { name: 'New export' }).count()).toBe(0);
  await page.getByRole('link', { name: 'First list' }).click();
  await page.getByText('You may see this export, but not its file.').waitFor();
  expect(await page.getByRole('link', { name: 'Download' }).count()).toBe(0);
  await expectAccessible(page);
  await page.goto('/console/accounts/1/exports/schedules?schedule=new');
  await page.getByRole('dialog').getByText('You may not see this').waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
  // A copied link to a schedule that was deleted says so.
  await page.goto('/console/accounts/1/exports/schedules?schedule=01a220ca-c60a-7444-a00c-9793fb7a2acd');
  await page.getByRole('dialog', { name: 'Schedules' }).getByText('Not found').waitFor();
});

test('a view of the list is saved and opened again', async () => {
  const page = await web.signIn({ path: '/accounts/1/exports?status=failed' });
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('textbox', { name: 'Save this view' }).fill('Failures');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Failures', exact: true }).waitFor();
  await expectAccessible(page);
  await page.goto('/console/accounts/1/exports');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Failures', exact: true }).click();
  await page.waitForURL(/status=failed/);

  // Somebody else deletes the view while its form is open.
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Change Failures' }).click();
  const { data } = await (await page.request.get('/admin/v1/accounts/1/views?page=exports')).json();
  const address = `/admin/v1/accounts/1/views/${data[0].view_id}`;
  expect((await page.request.delete(address, { headers: { origin: web.url } })).ok()).toBe(true);
  await page.getByRole('button', { name: 'Use the present state' }).click();
  await page.getByRole('alert').filter({ hasText: 'The view was not changed' }).waitFor();
  await page.getByRole('button', { name: 'Change Failures' }).waitFor({ state: 'detached' });
});

test('the settings show how much space the files of the account take', async () => {
  const used = async (): Promise<number> => (await web.service.first.operator('GET', '')).body.stored_files.used;
  const before = await used();
  const { request_id: id } = (
    await web.service.first.operator('POST', '/exports', { audience_type: 'list', audience_id: 1 })
  ).body;
  await expect
    .poll(async () => (await web.service.first.operator('GET', `/exports/${id}`)).body.status)
    .toBe('completed');
  expect(await used()).toBeGreaterThan(before);
  const page = await web.signIn({ role: 'viewer', path: '/accounts/1/settings/account' });
  await page.getByRole('heading', { name: 'Stored files' }).waitFor();
  await page.getByText(/^[\d.,]+ (bytes|kB) of 104\.9 MB are used\.$/).waitFor();
  await expectAccessible(page);
});
