import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { forFile } from '../../server/test/support/for-file.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';
import { addMember, owner } from './support/people.ts';

/** Bytes of compressed script and style that the first page of a new visitor may load. */
const budget = 170_000;
/** Also the frame with its menus, and the modules that pages share. They are loaded once. */
const budgetWithFrame = 325_000;

const web = await forFile(startConsole());
// Creates the owner.
await web.signIn();

test('the sign-in page loads at most 170 kB of script and style', async () => {
  const page = await web.open({ emptyCache: true });
  expect(await bytesOf(page, '/console/sign-in')).toBeLessThanOrEqual(budget);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('the pages after sign-in load at most 325 kB with an empty cache', async () => {
  for (const path of ['/accounts/1', '/profile']) {
    const page = await web.signIn({ path, emptyCache: true });
    const other = await page.context().newPage();
    expect(await bytesOf(other, `/console${path}`), path).toBeLessThanOrEqual(budgetWithFrame);
  }
});

test('a person without a session comes back to the wanted page after the sign-in', async () => {
  const page = await web.open();
  await page.goto('/console/accounts/1/contacts?probe=1');
  await page.waitForURL(/\/console\/sign-in\?return_to=/);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('E-mail address').fill('asha@example.com');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'The e-mail address or the password is wrong.' }).waitFor();
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/console\/accounts\/1\/contacts/);
});

test('sign-in never leads to another site', async () => {
  for (const address of ['//evil.example', '/\\evil.example', 'https://evil.example/', '/%09/evil.example']) {
    const page = await web.signIn({ path: `/sign-in?return_to=${encodeURIComponent(address)}` });
    await page.getByRole('heading').first().waitFor();
    expect(new URL(page.url()).origin).toBe(web.url);
  }
});

test('a page keeps what the person entered when the session ends, and goes on after the sign-in', async () => {
  const page = await web.signIn({ path: '/accounts/1/settings/account' });
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Kept by the page');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByRole('alert').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  const opened = page.waitForEvent('popup');
  await dialog.getByRole('link', { name: 'Sign in in a new tab' }).click();
  const tab = await opened;
  await signInOn(tab);
  await tab.getByRole('heading', { name: 'You are signed in again' }).waitFor();
  await expectAccessible(tab);
  await tab.close();
  await dialog.waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('Kept by the page');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  // The frame shows the new name.
  await page.getByRole('button', { name: 'Account Kept by the page' }).waitFor();
});

test('a session that ended elsewhere can be left for sign-in, which leads back to the page', async () => {
  const page = await web.signIn({ path: '/accounts/1/audiences' });
  await page.getByRole('navigation', { name: 'Menu' }).waitFor();
  await page.context().clearCookies();
  // A request in the background can be the first to notice.
  await page
    .getByRole('link', { name: 'Settings' })
    .click({ timeout: 3000 })
    .catch(() => undefined);
  await page.getByRole('dialog').getByRole('link', { name: 'Leave this page' }).click();
  await page.waitForURL(/\/console\/sign-in/);
  await signInOn(page);
  await page.waitForURL(/\/console\/accounts\/1\/(audiences|settings)/);
});

test('another person who signs in does not see the page of the first one', async () => {
  const page = await web.signIn({ path: '/accounts/1/settings/account' });
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  const opened = page.waitForEvent('popup');
  await dialog.getByRole('link', { name: 'Sign in in a new tab' }).click();
  const viewer = await addMember(web.service.context, 'viewer', false);
  await signInOn(await opened, viewer);
  await dialog.waitFor({ state: 'detached' });
  await page
    .getByText('You may not see this')
    .or(page.getByRole('textbox', { name: 'Name', exact: true }))
    .waitFor();
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
});

test('signing out leaves the other tabs, too', async () => {
  const page = await web.signIn();
  const other = await page.context().newPage();
  await other.goto('/console/accounts/1/audiences');
  await other.getByRole('heading', { name: 'Audiences' }).waitFor();
  await page.getByRole('button', { name: 'Asha' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await other.waitForURL(/\/console\/sign-in$/);
});

test('a page whose code cannot be loaded says so, and comes when the service answers again', async () => {
  const page = await web.signIn({ failsRequests: true, emptyCache: true });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Audiences' }).click();
  await page.getByRole('alert').filter({ hasText: 'No connection' }).first().waitFor();
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.getByRole('alert').filter({ hasText: 'No connection' }).first().waitFor();
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Audiences', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/accounts/1/audiences');
});

async function signInOn(
  page: Page,
  { email, password }: { readonly email: string; readonly password: string } = owner,
): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/**
 * Returns the compressed size of all scripts and styles that a new visit of a page loads, without
 * the library of charts and the command palette. A page is usable before they are there, and the
 * palette is loaded when the browser has nothing else to do.
 */
async function bytesOf(page: Page, path: string): Promise<number> {
  const isCounted = (request: Request): boolean =>
    ['script', 'stylesheet'].includes(request.resourceType()) && !request.url().includes('/palette-');
  const sizes: Promise<number>[] = [];
  let started = 0;
  const onRequest = (request: Request): void => {
    if (isCounted(request)) started += 1;
  };
  const onFinished = (request: Request): void => {
    if (isCounted(request)) sizes.push(sizeOf(request));
  };
  page.on('request', onRequest);
  page.on('requestfinished', onFinished);
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // The page has an event stream, so the network is never idle.
  await expect.poll(() => started - sizes.length).toBe(0);
  // What the browser loads later, for other pages, can be cut off by the end of the test.
  page.off('request', onRequest);
  page.off('requestfinished', onFinished);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function sizeOf(request: Request): Promise<number> {
  const text = (await (await request.response())?.text()) ?? '';
  return text.includes('recharts') ? 0 : (await request.sizes()).responseBodySize;
}
