import { expect, test } from 'vitest';
import { forFile } from '../../server/test/support/for-file.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';
import { navigation } from '#shell/account/navigation.ts';
import { texts as english } from '#texts/en/shell.ts';

const web = await forFile(startConsole());
const { first } = web.service;
await first.apply('/contact/create', {
  data: {
    contact_type: 'identified',
    contacts: [
      { identity: 'asha@mail.example', email: 'asha@mail.example', mobile: '919812345678' },
      { identity: 'zoe.fontaine@mail.example', attributes: { FIRST_NAME: 'Zoe', LAST_NAME: 'Fontaine' } },
    ],
  },
});
await first.apply('/client/attribute/create', { data: [{ name: 'FAVOURITE_AUTHOR', data_type: 'text' }] });
await first.operator('POST', '/lists', { name: 'Autumn readers' });

test('the palette opens by the keyboard, finds a contact by e-mail address, and goes to its page', async () => {
  const page = await web.signIn();
  await page.getByRole('heading', { level: 1 }).waitFor();
  // The palette loads when the page is idle, so that no letter after Ctrl-K is lost.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/palette-')),
  );
  await page.keyboard.press('Control+k');
  await page.keyboard.type('asha@mail');
  await expect.poll(() => page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('asha@mail');
  await page.getByRole('button', { name: /asha@mail\.example/ }).waitFor();
  await expectAccessible(page);
  // The first match is selected, also when it is found after the text was typed.
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/console\/accounts\/1\/contacts\/\d+/);
});

test('the palette finds audiences, attributes and pages by their names', async () => {
  const page = await web.signIn();
  await page.getByRole('button', { name: 'Search' }).first().click();
  const field = page.getByRole('textbox', { name: 'Search' });
  await field.fill('autumn');
  await page.getByRole('button', { name: /Autumn readers/ }).waitFor();
  await field.fill('author');
  await page.getByRole('button', { name: 'FAVOURITE_AUTHOR' }).waitFor();
  await field.fill('export');
  await page.getByRole('button', { name: 'Exports', exact: true }).click();
  await page.waitForURL('**/console/accounts/1/exports');
});

test('the Enter key opens what is found for the present text, not for the text before', async () => {
  const page = await web.signIn();
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  await page.route(/[?&]find=919812345678/, async (route) => {
    ask();
    await mayAnswer;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Search' }).first().click();
  const field = page.getByRole('textbox', { name: 'Search' });
  await field.fill('zoe.fontaine');
  await page.getByRole('button', { name: /zoe\.fontaine/ }).waitFor();
  await field.fill('919812345678');
  await page.keyboard.press('Enter');
  await isAsked;
  await page.keyboard.press('Enter');
  answer();
  await page.waitForURL(/\/accounts\/1\/contacts\/\d+/);
  await page.getByRole('heading', { level: 1, name: /asha@mail\.example/ }).waitFor();
});

test('the Enter key opens nothing if nothing is found for the present text', async () => {
  const page = await web.signIn({ path: '/accounts/1/activity' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Search' }).first().click();
  const field = page.getByRole('textbox', { name: 'Search' });
  await field.fill('zoe.fontaine');
  await page.getByRole('button', { name: /zoe\.fontaine/ }).waitFor();
  await field.fill('4915999999999');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing found').waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/accounts/1/activity');
});

test('the palette knows every page of the menu, of the sections and of the tabs', async () => {
  const page = await web.signIn({ path: '/accounts/1/activity' });
  await page.getByRole('button', { name: 'Search' }).first().click();
  const field = page.getByRole('textbox', { name: 'Search' });
  for (const entry of navigation.flat().flatMap((main) => [main, ...(main.pages ?? [])])) {
    const name = english.pages[entry.id];
    await field.fill(name);
    await page.locator('[data-action]').getByText(name, { exact: true }).first().waitFor();
  }
  await field.fill('schedu');
  await page.locator('[data-action]').getByText('Schedules').click();
  await page.waitForURL('**/console/accounts/1/exports/schedules');
  await page.getByRole('button', { name: 'Search' }).first().click();
  await field.fill('segments');
  await page.locator('[data-action]').getByText('Segments').click();
  await page.waitForURL('**/console/accounts/1/audiences?tab=segments');
});

test('in German, the palette finds the pages by their German names, and only those that the person sees', async () => {
  const page = await web.signIn({ role: 'viewer', locale: 'de-DE' });
  await page.getByRole('button', { name: 'Suchen' }).first().click();
  const field = page.getByRole('textbox', { name: 'Suchen' });
  for (const name of ['Anfragen', 'Zeitpläne', 'Aufbewahrung']) {
    await field.fill(name);
    await page.locator('[data-action]').getByText(name, { exact: true }).waitFor();
  }
  await field.fill('Mitglieder');
  await page.getByRole('button', { name: 'Personen mit dem Namen „Mitglieder“ finden' }).waitFor();
  expect(await page.locator('[data-action]').count()).toBe(1);
});

test('the palette offers the people with a name, as quick find does', async () => {
  const page = await web.signIn();
  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.getByRole('textbox', { name: 'Search' }).fill('Zoe Fontaine');
  await page.getByRole('button', { name: 'Find people named “Zoe Fontaine”' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/accounts\/1\/contacts\?/);
  await page.getByRole('grid').getByText('zoe.fontaine').waitFor();
});

test('the palette says that nothing was found', async () => {
  const page = await web.signIn({ role: 'viewer' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search' }).fill('@zzzzzz');
  await page.getByText('Nothing found').waitFor();
});

test('the frame is usable by the keyboard alone', async () => {
  const page = await web.signIn();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Tab');
  const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
  expect(await focused()).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  await page.getByRole('link', { name: 'Audiences' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/accounts/1/audiences');
  const current = page.getByRole('navigation', { name: 'Menu' }).locator('[aria-current=page]');
  expect(await current.allTextContents()).toEqual(['Audiences']);
  await page.getByRole('button', { name: 'Asha Rao' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Profile' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.closest('[role=menu]') !== null);
  await page.keyboard.press('Escape');
  await page.getByRole('menuitem', { name: 'Profile' }).waitFor({ state: 'detached' });
});

test('the navigation shows only what the role may see', async () => {
  const page = await web.signIn({ role: 'viewer' });
  const links = page.getByRole('navigation', { name: 'Menu' }).getByRole('link');
  await links.first().waitFor();
  expect(await links.allTextContents()).toEqual([
    'Home',
    'Contacts',
    'Audiences',
    'Attributes',
    'Imports',
    'Exports',
    'Activity',
    'Developers',
    'Settings',
  ]);
});

test('on a phone, the navigation opens by its button and closes after a choice', async () => {
  const page = await web.signIn({ width: 375, height: 740 });
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.getByRole('link', { name: 'Imports' }).isVisible()).toBe(false);
  await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Imports' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Imports' }).click();
  await page.waitForURL('**/console/accounts/1/imports');
  await page.getByRole('link', { name: 'Imports' }).waitFor({ state: 'hidden' });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});

test('pages outside of accounts keep the menu of the account that the person looked at last', async () => {
  const { accountId } = await web.service.createAccount({ name: 'Second' });
  const page = await web.signIn({ path: `/accounts/${accountId}` });
  await page.getByRole('button', { name: 'Second' }).waitFor();
  await page.getByRole('button', { name: 'Asha Rao' }).click();
  await page.getByRole('menuitem', { name: 'Users' }).click();
  await page.getByRole('heading', { name: 'Users' }).waitFor();
  const link = page.getByRole('link', { name: 'Contacts' });
  expect(await link.getAttribute('href')).toBe(`/console/accounts/${accountId}/contacts`);
  await page.goto('/console');
  await page.waitForURL(`**/console/accounts/${accountId}`);
});

test('the language and the appearance stay after a reload', async () => {
  const page = await web.signIn();
  await page.getByRole('button', { name: 'Asha Rao' }).click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await page.getByRole('menuitem', { name: 'Dunkel' }).click();
  await page.reload();
  await page.getByRole('link', { name: 'Kontakte' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  expect(await page.evaluate(() => document.documentElement.dataset['mantineColorScheme'])).toBe('dark');
});

test('an account without a role is not found', async () => {
  const page = await web.signIn({ role: 'viewer', path: '/accounts/999/contacts' });
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
  await expectAccessible(page);
});

test('an installation administrator without a role finds the accounts and the users', async () => {
  const page = await web.signIn({ role: 'viewer', path: '/profile' });
  const { pool } = web.service.context;
  await pool.query('delete from memberships where user_id = (select max(user_id) from users)');
  await pool.query('update users set is_installation_admin = true where user_id = (select max(user_id) from users)');
  await page.goto('/console');
  await page.getByRole('heading', { name: 'You have no role in an account' }).waitFor();
  const menu = page.getByRole('navigation', { name: 'Menu' }).getByRole('link');
  expect(await menu.allTextContents()).toEqual(['Accounts', 'Users', 'Profile']);
  await expectAccessible(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search' }).fill('user');
  await page.getByRole('button', { name: 'Users' }).last().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'First account (1)' }).click();
  await page.getByRole('link', { name: 'Contacts' }).waitFor();
});
