import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

test('the link of the first start creates the owner, who then sees the home page', async () => {
  await using console = await startConsole();
  const page = await console.open();
  await page.goto(await console.setUpLink());
  await page.getByRole('heading', { name: 'Create the owner' }).waitFor();
  // The token must not stay in the address, where an extension or a screenshot could see it.
  expect(new URL(page.url()).hash).toBe('');
  await expectAccessible(page);
  await page.getByLabel('Your name').fill('Asha Rao');
  await page.getByLabel('E-mail address').fill('asha@example.com');
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Create the owner' }).click();

  await page.waitForURL('**/console/accounts/1');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.getByRole('button', { name: 'Asha Rao' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
