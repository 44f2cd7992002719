import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { forFile } from '../../server/test/support/for-file.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';
import { addPeople, contactsPage, count, fillCondition } from './support/contacts.ts';
import { chooseOption, pressEnterOn, tabTo, typeInto } from './support/keyboard.ts';

const web = await forFile(startConsole());
await addPeople(web.service.first);

test('two rows that are next to each other are selected quickly, because nothing moves', async () => {
  const page = await web.signIn({ path: contactsPage });
  await count(page, '450 contacts');
  const [first, second] = await Promise.all(
    [3, 4].map((row) => page.locator(`[data-row="${row}"]`).getByRole('checkbox').boundingBox()),
  );
  await page.mouse.click(first!.x + 5, first!.y + 5);
  await page.mouse.click(second!.x + 5, second!.y + 5);
  await page.getByText('2 selected').waitFor();
  expect(await page.locator('[data-row="3"]').getByRole('checkbox').boundingBox()).toEqual(first);
  await expectAccessible(page);
});

test('a contact is added with the keyboard alone, and one that exists is not overwritten', async () => {
  const { first } = web.service;
  await first.operator('POST', '/lists', { name: 'Visitors' });
  const page = await web.signIn({ role: 'editor', path: contactsPage });
  await page.getByRole('status').filter({ hasText: 'contacts' }).first().waitFor();
  await pressEnterOn(page, page.getByRole('button', { name: 'Add a contact' }));
  const dialog = page.getByRole('dialog', { name: 'Add a contact' });
  await page.waitForFunction(() => document.activeElement?.closest('[role=dialog] form') !== null);
  await page.keyboard.type('noor@example.net');
  await typeInto(page, dialog.getByRole('textbox', { name: 'Mobile' }), '12');
  await typeInto(page, dialog.getByRole('textbox', { name: 'FIRST_NAME' }), 'Noor');
  await tabTo(page, dialog.getByRole('combobox', { name: 'Lists' }));
  await page.keyboard.type('Visi');
  await chooseOption(page, 'Visitors');
  await page.keyboard.press('Escape');
  await expectAccessible(page);
  await pressEnterOn(page, dialog.getByRole('button', { name: 'Add a contact' }));
  // The number is wrong. The dialog stays, and says so at the field.
  await dialog.getByRole('alert').filter({ hasText: 'Correct the marked fields' }).waitFor();
  expect(await dialog.getByRole('textbox', { name: 'Mobile' }).getAttribute('aria-invalid')).toBe('true');
  await expectAccessible(page);
  await dialog.getByRole('textbox', { name: 'Mobile' }).fill('+91 98123 45678');
  await pressEnterOn(page, dialog.getByRole('button', { name: 'Add a contact' }));
  await page.getByRole('heading', { name: 'noor@example.net', level: 1 }).waitFor();
  await page.getByText('The contact is added.').waitFor();
  await page.getByText('919812345678').waitFor();
  await page.getByRole('link', { name: 'Visitors' }).waitFor();

  const german = await web.signIn({ role: 'editor', path: contactsPage, locale: 'de-DE', width: 375 });
  await german.getByRole('button', { name: 'Kontakt hinzufügen' }).click();
  const second = german.getByRole('dialog', { name: 'Kontakt hinzufügen' });
  await second.getByRole('textbox', { name: 'E-Mail' }).fill('NOOR@example.net');
  await second.getByRole('textbox', { name: 'CITY' }).fill('Ulm');
  await second.getByRole('button', { name: 'Kontakt hinzufügen' }).click();
  await second.getByRole('alert').filter({ hasText: 'Noch ist nichts gespeichert' }).waitFor();
  await expectAccessible(german);
  expect(await german.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await second.getByRole('button', { name: 'Meine Werte in ihm speichern' }).click();
  await german.getByRole('heading', { name: 'noor@example.net', level: 1 }).waitFor();
  await german.getByText('Den Kontakt gab es schon.').waitFor();
  const id = /contacts\/(\d+)/.exec(german.url())![1]!;
  const { attributes } = (await first.operator('GET', `/contacts/${id}`)).body;
  expect(attributes).toContainEqual(expect.objectContaining({ name: 'CITY', value: 'Ulm' }));
  expect(attributes).toContainEqual(expect.objectContaining({ name: 'FIRST_NAME', value: 'Noor' }));

  const viewer = await web.signIn({ role: 'viewer', path: contactsPage });
  await viewer.getByRole('button', { name: 'Filter' }).waitFor();
  expect(await viewer.getByRole('button', { name: 'Add a contact' }).count()).toBe(0);
  await first.apply('/contact/delete', { data: { contacts: [{ identity: 'noor@example.net' }] } });
}, 120_000);

test('who comes back from a contact is at the same row again', async () => {
  for (const role of ['owner', 'viewer'] as const) {
    const page = await web.signIn({ role, path: contactsPage });
    await page.getByRole('gridcell').filter({ hasText: '@example.com' }).first().waitFor();
    const row = page.locator('[data-row="330"]');
    const topOf = () => page.locator('[role=grid]').evaluate((grid) => grid.parentElement!.scrollTop);
    const scrollTo = (top: number) =>
      page.locator('[role=grid]').evaluate((grid, to) => grid.parentElement!.scrollTo(0, to), top);
    // The rows are loaded while the person scrolls.
    await expect
      .poll(async () => {
        await scrollTo(36 * 325);
        return row.count();
      })
      .toBe(1);
    await row.filter({ hasText: '@example.com' }).waitFor();
    const [top, text] = [await topOf(), await row.textContent()];
    await row.getByRole('gridcell').filter({ hasText: '@example.com' }).click();
    await page.waitForURL(/\/contacts\/\d+$/);
    await page.getByRole('heading', { level: 1 }).filter({ hasText: '@example.com' }).waitFor();
    await page.goBack();
    await row.filter({ hasText: '@example.com' }).waitFor();
    expect([await topOf(), await row.textContent()]).toEqual([top, text]);
    const hasFocus = () => row.evaluate((element) => element === document.activeElement);
    await expect.poll(hasFocus).toBe(true);

    // With the keyboard, to another row.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/contacts\/\d+$/);
    await page.getByRole('heading', { level: 1 }).filter({ hasText: '@example.com' }).waitFor();
    await page.goBack();
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-row') === '331');
    // A new visit begins at the top.
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    // Until it is there, the table is only hidden, and would be shown again as it was.
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Contacts', exact: true }).first().click();
    await page.locator('[data-row="0"]').filter({ hasText: '@' }).waitFor();
    expect(await topOf()).toBe(0);
  }
}, 120_000);

test('people are found by their names with a filter', async () => {
  const page = await web.signIn({ path: contactsPage });
  await tabTo(page, page.getByRole('combobox', { name: 'Find a contact' }));
  await page.keyboard.type('Last 449');
  await page.getByRole('option', { name: 'Find people named “Last 449”' }).waitFor();
  await page.locator('[data-combobox-selected]').filter({ hasText: 'Last 449' }).waitFor();
  await page.keyboard.press('Enter');
  await count(page, /^1 contact/);
  await page.getByRole('gridcell', { name: 'person449@example.com', exact: true }).waitFor();
  // The rows are in view, not the builder. One click shows everybody again.
  await page.getByText('FIRST_NAME begins with “Last 449” or LAST_NAME begins with “Last 449”').waitFor();
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await count(page, /^45\d contacts/);
  await page.waitForFunction(() => document.activeElement?.textContent === 'Filter');
  await page.getByRole('combobox', { name: 'Find a contact' }).fill('0000');
  await page.getByText('No e-mail, mobile number or identity begins with this.').waitFor();
  expect(await page.getByRole('option').count()).toBe(0);
});

test('people can be found by their names also if an address begins with the same letters', async () => {
  const page = await web.signIn({ path: contactsPage });
  await page.getByRole('combobox', { name: 'Find a contact' }).fill('person44');
  await page.getByRole('option', { name: 'person449@example.com' }).waitFor();
  await page.getByRole('option', { name: 'Find people named “person44”' }).click();
  await page.getByText('FIRST_NAME begins with “person44”').waitFor();

  // One contact is opened by the Enter key, not the people with this name.
  await page.getByRole('combobox', { name: 'Find a contact' }).fill('person449');
  await page.getByRole('option', { name: 'Find people named “person449”' }).waitFor();
  await page.locator('[data-combobox-selected]').filter({ hasText: 'person449@example.com' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'person449@example.com' }).waitFor();
});

test('who makes a segment is led to it, and told what is missing', async () => {
  const page = await web.signIn({ path: '/accounts/1/audiences?tab=segments' });
  await page.getByRole('button', { name: 'Create a segment' }).first().click();
  await page.getByText('A segment is a saved filter.').waitFor();
  const save = page.getByRole('button', { name: 'Save as segment' });
  await save.click();
  const alert = page.getByRole('alert');
  await alert.filter({ hasText: 'A segment needs a condition' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await alert.filter({ hasText: 'A condition is not complete' }).waitFor();
  await fillCondition(page, 'CITY', 'is');
  await page.keyboard.type('Goa');
  await page.keyboard.press('Enter');
  await alert.waitFor({ state: 'detached' });
  await count(page, '300 contacts');
  await save.click();
  await page.getByRole('dialog', { name: 'Save as segment' }).getByText('CITY is “Goa”').waitFor();
});

test('rows are links: the Ctrl key and the middle button open a contact or a list in a new tab', async () => {
  const page = await web.signIn({ path: contactsPage });
  const contact = page.getByRole('link', { name: 'person7@example.com' });
  /** Returns the path of the tab that an action opens. The page itself stays. */
  async function opened(act: () => Promise<void>): Promise<string> {
    const before = page.url();
    const [tab] = await Promise.all([page.context().waitForEvent('page'), act()]);
    await tab.waitForURL(/\/console\/accounts\/1\//);
    expect(page.url()).toBe(before);
    const { pathname } = new URL(tab.url());
    await tab.close();
    return pathname;
  }
  const pathOf = (link: Locator) => link.getAttribute('href');
  expect(await pathOf(contact)).toMatch(/^\/console\/accounts\/1\/contacts\/\d+$/);
  const row = page.getByRole('row', { name: /person7@example.com/ });
  const city = row.getByText('Goa', { exact: true });
  expect(await opened(() => contact.click({ modifiers: ['Control'] }))).toBe(await pathOf(contact));
  expect(await opened(() => contact.click({ button: 'middle' }))).toBe(await pathOf(contact));
  expect(await opened(() => city.click({ modifiers: ['Control'] }))).toBe(await pathOf(contact));
  expect(await opened(() => city.click({ button: 'middle' }))).toBe(await pathOf(contact));
  await row.focus();
  expect(await opened(() => page.keyboard.press('Control+Enter'))).toBe(await pathOf(contact));
  await expectAccessible(page);
  await contact.click();
  await page.getByRole('heading', { name: 'person7@example.com', level: 1 }).waitFor();
  await page.goBack();
  // The person is at the same row again.
  await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true);

  await page.goto('/console/accounts/1/audiences');
  const list = page.getByRole('link', { name: 'First list' });
  expect(await opened(() => list.click({ modifiers: ['Control'] }))).toBe('/console/accounts/1/audiences/lists/1');
  await list.click();
  await page.getByRole('heading', { name: 'First list' }).waitFor();
});
