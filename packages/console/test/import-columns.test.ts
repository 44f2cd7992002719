import { expect, test } from 'vitest';
import { forFile } from '../../server/test/support/for-file.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

const web = await forFile(startConsole());
await forFile(web.service.startJobs());

test('new columns of dates become dates, in the format of the file', async () => {
  const page = await web.signIn({ path: '/accounts/1/imports/new' });
  const buffer = Buffer.from('EMAIL;Bestellt;Bezahlt\nmina@example.com;31.12.2025;31.12.2025 14:05\n');
  await page.setInputFiles('input[type=file]', { name: 'orders.csv', mimeType: 'text/csv', buffer });
  const table = page.getByRole('grid', { name: 'What the columns mean' });
  await expect.poll(() => table.getByText('31.01.2024 (day first)').count()).toBe(2);
  await page.getByRole('button', { name: 'Start the import' }).click();
  await page.getByText('Completed').waitFor({ timeout: 30_000 });
  await page.getByText('New attribute BESTELLT (Date)').waitFor();
  await page.getByText('New attribute BEZAHLT (Date and time)').waitFor();
  const rows = await web.service.first.rows({
    filtering_criteria: [{ condition_details: [{ field: 'email', operation: 'equals', value: ['mina@example.com'] }] }],
    output: { fields: ['BESTELLT', 'BEZAHLT'] },
  });
  expect(rows).toEqual([{ BESTELLT: '2025-12-31', BEZAHLT: '2025-12-31T14:05:00.000Z' }]);
});

test('a file whose first row is a contact is not taken for names of columns in silence', async () => {
  const page = await web.signIn({ path: '/accounts/1/imports/new' });
  const buffer = Buffer.from('mina@example.com;Mina;Ulm\nnoor@example.com;Noor;Pune\n');
  await page.setInputFiles('input[type=file]', { name: 'people.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('alert').filter({ hasText: 'The first row must have the names of the columns' }).waitFor();
  await expectAccessible(page);
});

test('the mapping shows the whole names of new attributes next to their formats', async () => {
  const page = await web.signIn({ path: '/accounts/1/imports/new' });
  const buffer = Buffer.from('EMAIL;Letzter Einkauf;Umsatz\nmina@example.com;31.12.2025;1.805,29\n');
  await page.setInputFiles('input[type=file]', { name: 'sales.csv', mimeType: 'text/csv', buffer });
  for (const name of ['New attribute LETZTER_EINKAUF', 'New attribute UMSATZ']) {
    const label = page.getByRole('grid', { name: 'What the columns mean' }).getByText(name, { exact: true });
    await label.waitFor();
    expect(await label.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
  }
});
