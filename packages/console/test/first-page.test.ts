import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole, type TestConsole } from './support/console.ts';

/** Bytes of compressed script and style that the first page of a new visitor may load. */
const budget = 170_000;
/** Also the frame with its menus. The browser has most of it in its cache after the sign-in. */
const budgetWithFrame = 255_000;

let web: TestConsole;
beforeAll(async () => {
  web = await startConsole();
  // Creates the owner.
  await web.signIn();
});
afterAll(() => web[Symbol.asyncDispose]());

test('the sign-in page loads at most 170 kB of script and style', async () => {
  const page = await web.open();
  expect(await bytesOf(page, '/console/sign-in')).toBeLessThanOrEqual(budget);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('the pages after sign-in load at most 255 kB with an empty cache', async () => {
  for (const path of ['/accounts/1', '/profile']) {
    const page = await web.signIn({ path });
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

test('a session that ended elsewhere leads to sign-in', async () => {
  const page = await web.signIn();
  await page.getByRole('navigation', { name: 'Menu' }).waitFor();
  await page.context().clearCookies();
  // A request in the background can be the first to notice, and then the link is gone.
  await page
    .getByRole('link', { name: 'Settings' })
    .click({ timeout: 3000 })
    .catch(() => undefined);
  await page.reload();
  await page.waitForURL(/\/console\/sign-in/);
});

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
  page.on('request', (request) => {
    if (isCounted(request)) started += 1;
  });
  page.on('requestfinished', (request) => {
    if (isCounted(request)) sizes.push(sizeOf(request));
  });
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // The page has an event stream, so the network is never idle.
  await expect.poll(() => started - sizes.length).toBe(0);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function sizeOf(request: Request): Promise<number> {
  const text = (await (await request.response())?.text()) ?? '';
  return text.includes('recharts') ? 0 : (await request.sizes()).responseBodySize;
}
