import type { Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { forFile } from '../../server/test/support/for-file.ts';
import { created } from '../../server/test/erasures/support.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

/** Every account has ten more. */
const own = 490;
const html = '<img src=x onerror=alert(1)>';
const formula = '=HYPERLINK("http://127.0.0.1:1/","=cmd|\' /C calc\'!A0")';
const family = '👨‍👩‍👧‍👦';
const hebrew = 'שלום \u202Eעולם, 12 ימים';

const fieldName = (at: number): string => `FIELD_${String(at).padStart(3, '0')}`;

const web = await forFile(startConsole());
const { first } = web.service;
const names = Array.from({ length: own }, (_, at) => fieldName(at));
for (let at = 0; at < own; at += 100) {
  const data = names.slice(at, at + 100).map((name, index) => ({
    name: at + index === own - 1 ? 'LONG_STORY' : name,
    data_type: at + index === own - 1 ? 'long_text' : at + index === own - 2 ? 'datetime' : 'text',
  }));
  await first.apply('/client/attribute/create', { data });
}
for (let at = 0; at < 5; at++) {
  await created(first, { identity: `person${at}@example.com`, attributes: { FIRST_NAME: html, LAST_NAME: hebrew } });
}
const contact = await created(first, {
  identity: `${'long'.repeat(12)}@example.com`,
  attributes: {
    FIRST_NAME: html,
    LAST_NAME: hebrew,
    CITY: formula,
    COUNTRY: family.repeat(60),
    LONG_STORY: `${html} `.repeat(345).slice(0, 10_000),
    ...Object.fromEntries(names.slice(0, 480).map((name, at) => [name, at % 7 === 0 ? hebrew : `value ${at}`])),
  },
});
const page = await web.signIn({ failsRequests: true });

/** Expects that nothing is wider than the window, and that no value became part of the page. */
async function expectIntact(): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await page.locator('img[src="x"], [onerror], a[href*="127.0.0.1:1"]').count()).toBe(0);
}

describe('an account with 500 attributes and values of every kind', () => {
  test('the table of contacts shows all values as text, and columns can be found', async () => {
    await page.goto('/console/accounts/1/contacts');
    await page.getByRole('gridcell', { name: html }).first().waitFor();
    await expectIntact();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByText(/and \d{3} more\. Type a part of the name\./).waitFor();
    await expectAccessible(page);
    for (const name of ['COUNTRY', 'LONG_STORY']) {
      await page.getByRole('textbox', { name: 'Find a column' }).fill(name.toLowerCase());
      await page.getByRole('checkbox', { name }).check();
    }
    await page.keyboard.press('Escape');
    const row = page.getByRole('row').filter({ hasText: 'longlong' });
    // Long values are cut between two characters, never inside of one.
    const emoji = row.getByRole('gridcell').filter({ hasText: family });
    expect(await emoji.textContent()).toBe(`${family.repeat(18)}…`);
    await row.getByRole('gridcell', { name: `${html} ${html}` }).waitFor();
    await row.getByRole('gridcell', { name: formula }).waitFor();
    expect((await row.boundingBox())!.height).toBeLessThanOrEqual(36);
    await expectIntact();
  });

  test('a table has at most as many columns as a search can return', async () => {
    const names = Array.from({ length: 300 }, (_, at) => fieldName(at)).join();
    await page.goto(`/console/accounts/1/contacts?columns=email,FIRST_NAME,${names}`);
    await page.getByRole('gridcell', { name: html }).first().waitFor();
    expect(await page.getByRole('columnheader').count()).toBe(100);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByText('A table has at most 99 columns.').waitFor();
    await page.getByRole('button', { name: 'Usual columns' }).click();
    await page.getByRole('columnheader', { name: fieldName(0) }).waitFor({ state: 'detached' });
  });

  test('the page of a contact finds an attribute, and opens and closes a text of 10,000 characters', async () => {
    await page.goto(`/console/accounts/1/contacts/${contact}?tab=attributes`);
    await page.getByText('value 478').waitFor();
    await expectIntact();
    await page.getByLabel('Find an attribute').fill('STORY');
    await page.getByText('value 478').waitFor({ state: 'detached' });
    const text = page.getByRole('tabpanel').getByText(html, { exact: false }).first();
    expect((await text.textContent())!.length).toBeLessThan(300);
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await text.textContent()).toHaveLength(10_000);
    await page.setViewportSize({ width: 375, height: 800 });
    await expectIntact();
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('the list of attributes is searched, sorted and divided into groups', async () => {
    await page.goto('/console/accounts/1/attributes');
    await page.getByText('500 rows').waitFor();
    await page.getByText('Standard 10', { exact: true }).click();
    await page.getByText('10 rows').waitFor();
    await page.getByText('Own 490', { exact: true }).click();
    await page.getByRole('columnheader', { name: 'With a value' }).getByRole('button').click();
    await page
      .getByRole('row')
      .nth(1)
      .filter({ hasText: fieldName(480) })
      .waitFor();
    await page.getByRole('textbox', { name: 'Find by name' }).fill('field_31');
    await page.getByText('10 rows').waitFor();
    await page.reload();
    await page.getByText('10 rows').waitFor();
    await expectAccessible(page);
  });
});

/** What a page says when the API fails, by the status of its answers. */
const failures = {
  500: 'Something went wrong',
  409: 'This is not possible now',
  503: 'The service is not available',
  429: 'Too many requests',
  offline: 'No connection',
} as const;

type Failure = keyof typeof failures;

/** The client repeats these requests before it gives up, which takes a second. */
const temporary = [503, 429, 'offline'] as const;

const pages = [
  '',
  '/contacts',
  '/contacts/1',
  '/audiences',
  '/audiences/lists/1',
  '/attributes',
  '/attributes/5',
  '/imports',
  '/exports',
  '/activity',
  '/developers/requests',
  '/privacy/erasures',
  '/settings/account',
  '/settings/members',
];

test('each page says what has failed, offers to try again, and recovers', async () => {
  const windows = await Promise.all(Array.from({ length: 4 }, () => web.signIn({ failsRequests: true })));
  const waiting = pages.entries();
  await Promise.all(
    windows.map(async (window) => {
      let failure: Failure | undefined;
      await window.route(/\/admin\/v1\/accounts\/1(\/|\?|$)/, (route) => answer(route, failure));
      for (const [at, path] of waiting) {
        const retry = window.getByRole('button', { name: 'Try again' });
        failure = 500;
        await window.goto(`/console/accounts/1${path}`);
        for (const next of [500, 409, temporary[at % temporary.length]!] as const) {
          failure = next;
          if (next !== 500) await retry.first().click();
          const alert = window.getByRole('alert').filter({ hasText: failures[next], has: retry }).first();
          await alert.waitFor().catch(() => expect.fail(`${path} does not show “${failures[next]}” for ${next}`));
        }
        failure = undefined;
        // The parts of a page can fail one after the other.
        await retry.first().click();
        await window
          .waitForFunction(isShown, undefined, { timeout: 30_000 })
          .catch(async () => expect.fail(`${path} does not recover: ${await window.locator('main').innerText()}`));
      }
    }),
  );
}, 90_000);

/** Tells whether a page has a title, and no part of it is loading or has failed. */
const isShown = (): boolean =>
  document.querySelector('main h1') !== null &&
  document.querySelector('main [aria-busy="true"]') === null &&
  [...document.querySelectorAll('main button')].every(({ textContent }) => textContent !== 'Try again');

async function answer(route: Route, failure: Failure | 403 | undefined): Promise<void> {
  if (failure === undefined) return route.continue();
  if (failure === 'offline') return route.abort('internetdisconnected');
  return route.fulfill({
    status: failure,
    headers: { 'retry-after': '0' },
    json: { code: failure, status: 'error', description: 'Something of the test', request_id: null },
  });
}

test('tables fit a small window, and their actions are in view also if it is narrower', async () => {
  await web.service.first.operator('POST', '/lists', { name: 'Everyone with a name that has some length' });
  for (const locale of ['en-US', 'de-DE']) {
    const window = await web.signIn({ locale, width: 1280 });
    for (const path of [
      'developers/api-keys',
      `attributes?find=${fieldName(own - 2)}`,
      'audiences',
      'developers/requests',
      'settings/audit-log',
    ]) {
      await window.goto(`/console/accounts/1/${path}`);
      const grid = window.getByRole('grid');
      await grid.getByRole('gridcell').first().waitFor();
      const hidden = await grid.evaluate(
        (element) => element.parentElement!.scrollWidth - element.parentElement!.clientWidth,
      );
      expect(hidden, `${locale} ${path}`).toBe(0);
      if (path.startsWith('attributes')) {
        const type = grid.getByRole('gridcell', { name: locale === 'de-DE' ? 'Datum und Uhrzeit' : 'Date and time' });
        expect(await type.evaluate((cell) => cell.scrollWidth - cell.clientWidth), locale).toBe(0);
      }
    }
    await window.setViewportSize({ width: 900, height: 800 });
    await window.goto('/console/accounts/1/developers/api-keys');
    const revoke = window.getByRole('gridcell').getByRole('button').last();
    await revoke.waitFor();
    const box = (await revoke.boundingBox())!;
    expect(box.x + box.width, locale).toBeLessThanOrEqual(900);
    await revoke.click({ trial: true });
  }
});

test('the headings of tables are not cut off, in German and English', async () => {
  const { first } = web.service;
  await first.operator('PATCH', '', { settings: { events: true } });
  for (const [path, body] of [
    ['/imports', { file_name: 'people.csv' }],
    ['/event-subscriptions', { name: 'Warehouse', url: 'https://calls.example.com/events' }],
  ] as const) {
    expect(await first.operator('POST', path, body)).toMatchObject({ status: 201 });
  }
  const erased = await created(first, { identity: 'erased@example.com' });
  await first.operator('DELETE', `/contacts/${erased}?mode=erase`);
  for (const locale of ['de-DE', 'en-US']) {
    const window = await web.signIn({ locale, width: 1280 });
    for (const path of [
      'attributes',
      'audiences',
      'imports',
      'developers/api-keys',
      'developers/subscriptions',
      'privacy/erasures',
    ]) {
      await window.goto(`/console/accounts/1/${path}`);
      const header = window.getByRole('columnheader');
      await header.first().waitFor();
      const cut = await header.evaluateAll((all) =>
        all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent),
      );
      expect(cut, `${locale} ${path}`).toEqual([]);
    }
  }
});

test('on a phone, the numbers of contacts in a list are in view, and nothing is too small for a finger', async () => {
  const phone = await web.signIn({ locale: 'de-DE', width: 390, touch: true });
  await phone.goto('/console/accounts/1/audiences');
  const cell = phone.getByRole('row').nth(1).getByRole('gridcell');
  const [number, actions] = [(await cell.nth(1).boundingBox())!, (await cell.last().boundingBox())!];
  expect(number.x + number.width).toBeLessThanOrEqual(actions.x);
  for (const path of ['audiences', 'contacts', `contacts/${contact}?tab=attributes`, 'developers/api-keys']) {
    await phone.goto(`/console/accounts/1/${path}`);
    await phone.waitForFunction(isShown);
    const small = await phone.getByRole('main').evaluate((main) =>
      [...main.querySelectorAll('button, input[type=checkbox], nav a, header a')]
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && Math.min(box.width, box.height) < 24)
        .map(({ element, box }) => `${element.outerHTML} ${box.width} × ${box.height}`),
    );
    expect(small, path).toEqual([]);
  }
});

test('on a phone, the choices of a new export are not cut off', async () => {
  const phone = await web.signIn({ locale: 'de-DE', width: 390 });
  await phone.goto('/console/accounts/1/exports/new');
  const choice = phone.getByText('Alle Kontakte', { exact: true });
  await choice.waitFor();
  expect(await choice.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
});

test('a page that the person may not see says so, and a failed session can be loaded again', async () => {
  await page.route(/\/admin\/v1\/accounts\/1\/attributes/, (route) => answer(route, 403));
  await page.goto('/console/accounts/1/attributes');
  await page.getByRole('alert').filter({ hasText: 'You may not see this' }).waitFor();
  await expectAccessible(page);
  await page.unrouteAll();

  let failure: Failure | undefined = 503;
  await page.route(/\/admin\/v1\/session$/, (route) => answer(route, failure));
  await page.goto('/console/accounts/1/contacts');
  await page.getByRole('alert').filter({ hasText: 'The service is not available' }).waitFor();
  failure = undefined;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('gridcell', { name: html }).first().waitFor();
  await page.unrouteAll();
});
