import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { forFile } from '../../server/test/support/for-file.ts';
import { startConsole } from './support/console.ts';
import { addPeople, contactsPage, count } from './support/contacts.ts';
import { tabTo } from './support/keyboard.ts';

const web = await forFile(startConsole());
await addPeople(web.service.first);

/** Returns the edges of the table of a page at which it shows a shadow: `before`, `after`, both or none. */
async function shadows(page: Page): Promise<readonly string[]> {
  const grid = page.getByRole('grid');
  await grid.waitFor();
  return await grid.evaluate((table) =>
    (['before', 'after'] as const).filter((edge) =>
      getComputedStyle(table.parentElement!.parentElement!, `::${edge}`).backgroundImage.includes('gradient'),
    ),
  );
}

/** Presses a key until the table shows its shadows at these edges. */
async function pressUntil(page: Page, key: string, edges: readonly string[]): Promise<void> {
  await expect
    .poll(async () => {
      await page.keyboard.press(key);
      return await shadows(page);
    })
    .toEqual(edges);
}

const right = async (part: Locator): Promise<number> => {
  const box = (await part.boundingBox())!;
  return box.x + box.width;
};

test('a shadow shows where a table has more columns, which the arrow keys reach', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await web.signIn({ path: contactsPage, colorScheme });
    await count(page, '450 contacts');
    expect(await shadows(page)).toEqual(['after']);
    const last = page.getByRole('columnheader').last();
    const edge = await right(page.getByRole('grid').locator('xpath=..'));
    expect(await right(last)).toBeGreaterThan(edge);

    // On its way, the Tab key comes to the header of each column.
    await tabTo(page, page.locator('[role=row][tabindex="0"]'));
    await pressUntil(page, 'ArrowLeft', ['after']);
    await pressUntil(page, 'ArrowRight', ['before', 'after']);
    await pressUntil(page, 'ArrowRight', ['before']);
    expect(await right(last)).toBeLessThanOrEqual(edge);
  }
});

test('the shadow follows the size of the window and the columns of the table', async () => {
  const page = await web.signIn({ path: `${contactsPage}?columns=email,mobile` });
  await count(page, '450 contacts');
  expect(await shadows(page)).toEqual([]);
  await page.setViewportSize({ width: 375, height: 800 });
  await expect.poll(() => shadows(page)).toEqual(['after']);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => shadows(page)).toEqual([]);
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('button', { name: 'Usual columns' }).click();
  await expect.poll(() => shadows(page)).toEqual(['after']);
});

test('the shadow ends where the column with the actions begins', async () => {
  const page = await web.signIn({ path: '/accounts/1/attributes', width: 600 });
  expect(await shadows(page)).toEqual(['after']);
  const edge = await page.getByRole('grid').evaluate((table) => {
    const { right } = table.parentElement!.getBoundingClientRect();
    return right - Number.parseFloat(getComputedStyle(table.parentElement!.parentElement!, '::after').right);
  });
  const actions = await page.getByRole('columnheader').last().boundingBox();
  expect(actions!.x).toBeCloseTo(edge, 0);
});

test('the whole text of a cell that is cut off is shown while the pointer is on it', async () => {
  const page = await web.signIn({ path: '/accounts/1/settings/audit-log', width: 900 });
  const cells = page.locator('[data-row="0"] [role=gridcell]');
  const cut = cells.filter({ hasText: 'Name' }).last().locator('p');
  await web.service.first.operator('POST', '/lists', { name: 'Readers of the newsletter on Mondays' });
  await page.reload();
  await cut.waitFor();
  expect(await cut.getAttribute('title')).toBe(null);
  await cut.hover();
  await expect.poll(() => cut.getAttribute('title')).toBe('Name Readers of the newsletter on Mondays');
  await page.getByRole('heading', { level: 1 }).hover();
  await expect.poll(() => cut.getAttribute('title')).toBe(null);
});

test('the bars that show how full attributes are have the same length', async () => {
  for (const width of [1280, 1600]) {
    const page = await web.signIn({ path: '/accounts/1/attributes', width });
    await page.getByRole('gridcell', { name: '450 100%' }).first().waitFor();
    const bars = await page
      .locator('[role=gridcell] .mantine-Progress-root')
      .evaluateAll((all) => all.map((bar) => Math.round(bar.getBoundingClientRect().width)));
    expect(bars.length).toBeGreaterThan(5);
    expect(new Set(bars).size).toBe(1);
    expect(bars[0]).toBeGreaterThan(80);
  }
});
