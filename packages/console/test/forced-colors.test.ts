import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole } from './support/console.ts';

let web: TestConsole;
let page: Page;
beforeAll(async () => {
  web = await startConsole();
  page = await web.signIn();
  await page.emulateMedia({ forcedColors: 'active' });
});
afterAll(() => web[Symbol.asyncDispose]());

/** Expects that the first element has the background of a selection, and that the second one has not. */
async function expectSelected(selected: Locator, other: Locator): Promise<void> {
  const backgroundOf = (element: Locator): Promise<string> =>
    element.evaluate((one) => getComputedStyle(one).backgroundColor);
  const highlight = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.cssText = 'forced-color-adjust: none; background: Highlight';
    const { backgroundColor } = getComputedStyle(probe);
    probe.remove();
    return backgroundColor;
  });
  await expect.poll(() => backgroundOf(selected)).toBe(highlight);
  expect(await backgroundOf(other)).not.toBe(highlight);
}

test('with forced colours, a switch that is on and the chosen one of several choices can be seen', async () => {
  await page.goto('/console/accounts/1/exports/new');
  const compress = page.getByRole('switch', { name: 'Compress the file (gzip)' });
  await compress.check();
  const track = (one: Locator): Locator => one.locator('+ *');
  await expectSelected(track(compress), track(page.getByRole('switch').first()));
  const mark = page.locator('.mantine-SegmentedControl-indicator');
  await expectSelected(mark, page.locator('label').filter({ hasText: /^A segment$/ }));
});

test('with forced colours, a checked box and a chosen radio button can be seen', async () => {
  await page.goto('/console/accounts/1/settings/members');
  await page.getByRole('button', { name: 'Invite a person' }).click();
  const dialog = page.getByRole('dialog');
  const box = dialog.getByRole('checkbox', { name: 'See unmasked values' });
  await box.check();
  const [chosen, other] = [
    dialog.getByRole('radio', { name: 'Editor' }),
    dialog.getByRole('radio', { name: 'Viewer' }),
  ];
  await expectSelected(box, other);
  await expectSelected(chosen, other);
});

test('with forced colours, the present page and the open tab can be seen', async () => {
  await page.goto('/console/accounts/1/audiences');
  const tab = (name: string): Locator => page.getByRole('tab', { name });
  await expectSelected(tab('Lists'), tab('Segments'));
  const link = (name: string): Locator => page.getByRole('link', { name, exact: true });
  await expectSelected(link('Audiences'), link('Contacts'));
  await page.goto('/console/accounts/1/settings/members');
  await expectSelected(link('Members'), link('Account'));
});
