import { afterAll, beforeAll, expect, test } from 'vitest';
import { created } from '../../server/test/erasures/support.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole, type TestConsole } from './support/console.ts';

let web: TestConsole;
beforeAll(async () => {
  web = await startConsole();
  for (const [at, CITY] of ['Pune', 'Pune', 'Ulm', '<b>Bonn</b>'].entries()) {
    await created(web.service.first, { identity: `${at}@example.com`, attributes: { CITY } });
  }
});
afterAll(() => web[Symbol.asyncDispose]());

test('the attributes are listed, and one shows its index and its most frequent values', async () => {
  const page = await web.signIn({ path: '/accounts/1/attributes' });
  await page.getByRole('link', { name: 'CITY' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'CITY' }).click();
  await page.getByText('4 contacts, 3 different values').waitFor();
  await page.getByText('<b>Bonn</b>').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Find a value').fill('pu');
  await page.getByText('2 contacts, 1 different values').waitFor();
  expect(await page.getByText('Ulm').count()).toBe(0);
});
