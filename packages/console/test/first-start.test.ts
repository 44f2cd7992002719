import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';
import { pressEnterOn, typeInto } from './support/keyboard.ts';

test('the link of the first start creates the owner, who sees the home page, with the keyboard alone', async () => {
  await using console = await startConsole();
  const page = await console.open();
  // Who opens the console first sees what to do. The link then works in the same tab.
  await page.goto('/console');
  await page.getByRole('heading', { name: 'Open the set-up link' }).waitFor();
  await page.goto(await console.setUpLink());
  await page.getByRole('heading', { name: 'Create the owner' }).waitFor();
  // The token must not stay in the address, where an extension or a screenshot could see it.
  expect(new URL(page.url()).hash).toBe('');
  await expectAccessible(page);
  await typeInto(page, page.getByLabel('Your name'), 'Asha Rao');
  await typeInto(page, page.getByLabel('E-mail address'), 'asha@example.com');
  await typeInto(page, page.getByLabel('Password', { exact: true }), 'correct horse battery staple');
  await page.keyboard.press('Enter');

  await page.waitForURL('**/console/accounts/1');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await pressEnterOn(page, page.getByRole('button', { name: 'Asha Rao' }));
  const signOut = page.getByRole('menuitem', { name: 'Sign out' });
  await signOut.waitFor();
  await page.waitForFunction(() => document.activeElement?.closest('[role=menu]') !== null);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  expect(await signOut.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
