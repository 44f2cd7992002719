import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { forFile } from '../../server/test/support/for-file.ts';
import { buildIndexes } from '../../server/test/attribute-indexes/support.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

const contacts = 120;

const web = await forFile(startConsole());
await forFile(web.service.startJobs());
const { first } = web.service;
await first.apply('/client/attribute/create', {
  data: [
    { name: 'SHOES', data_type: 'number' },
    { name: 'CARD', data_type: 'text', data_masking: 'full', default_value: '4711 0815' },
    { name: 'TOWN', data_type: 'text' },
  ],
});
await first.apply('/contact/create', {
  data: {
    contact_type: 'identified',
    contacts: Array.from({ length: contacts }, (_, at) => ({
      identity: `person${at}@example.com`,
      attributes: { SHOES: 36 + (at % 10), CITY: ['Pune', 'Pune', 'Ulm', '<b>Bonn</b>'][at % 4] },
    })),
  },
});
const filtering_criteria = [{ condition_details: [{ field: 'CITY', operation: 'equals', value: ['Ulm'] }] }];
await first.operator('POST', '/segments', { name: 'People in Ulm', filtering_criteria });

const list = '/accounts/1/attributes';
const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });

/** Chooses an action in the menu of an attribute. */
async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('an attribute can be created, filled where it is empty, and edited', async () => {
  const page = await web.signIn({ path: list });
  await page.getByRole('button', { name: 'Create an attribute' }).click();
  const form = page.getByRole('dialog', { name: 'Create an attribute' });
  await form.getByRole('textbox', { name: 'Name' }).fill('1st order');
  await form.getByText('Use A to Z, 0 to 9 and underscores. Begin with a letter.').waitFor();
  await form.getByRole('textbox', { name: 'Name' }).fill('city');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByText('The account already has an attribute CITY.', { exact: false }).waitFor();
  await form.getByRole('textbox', { name: 'Name' }).fill('customer tier');
  await choose(page, 'Type', 'Number');
  await form.getByRole('textbox', { name: 'Default value' }).fill('3');
  await choose(page, 'Masking', 'Partly masked');
  await form.getByText('No free standard attribute has this type.').waitFor();
  await choose(page, 'Masking', 'Not masked');
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'CUSTOMER_TIER', level: 1 }).waitFor();
  await page.getByText('0 % of 120 contacts').or(page.getByText('0% of 120 contacts')).waitFor();

  await act(page, 'CUSTOMER_TIER', 'Fill empty values');
  const fill = page.getByRole('dialog', { name: 'Fill CUSTOMER_TIER where it is empty' });
  await fill.getByText('This affects 120 contacts.').waitFor();
  expect(await fill.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('3');
  await fill.getByRole('textbox', { name: 'Type 120 to confirm' }).fill('120');
  await expectAccessible(page);
  await fill.getByRole('button', { name: 'Fill' }).click();
  await page.getByText('120 changed, 0 unchanged, 0 failed').waitFor();
  await page.getByText('100% of 120 contacts').waitFor();

  await page.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit CUSTOMER_TIER' });
  await edit.getByText('Contacts have values, so only types that keep them are possible.').waitFor();
  await edit.getByRole('combobox', { name: 'Type' }).click();
  expect(await page.getByRole('option', { name: 'Date', exact: true }).getAttribute('data-combobox-disabled')).toBe(
    'true',
  );
  await page.getByRole('option', { name: 'Text', exact: true }).click();
  await edit.getByRole('textbox', { name: 'Name' }).fill('CARD');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByText('The account already has an attribute CARD.', { exact: false }).waitFor();
  await edit.getByRole('textbox', { name: 'Name' }).fill('LOYALTY');
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'LOYALTY', level: 1 }).waitFor();
  const attribute = (await web.service.first.operator('GET', '/attributes')).body.data.at(-1);
  expect(attribute).toMatchObject({ name: 'LOYALTY', data_type: 'text', default_value: '3', filled: 120 });

  // Somebody else changes the same field, and another one, while the form is open.
  await page.getByRole('button', { name: 'Edit' }).click();
  const again = page.getByRole('dialog', { name: 'Edit LOYALTY' });
  await again.getByRole('textbox', { name: 'Default value' }).fill('mine');
  const theirs = { id: attribute.id, default_value: 'theirs', category: 'profile' };
  expect((await first.v5('/client/attribute/update', { data: [theirs] })).status).toBe(200);
  await again.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('dialog', { name: 'Somebody else changed this too' });
  await conflict.getByText('theirs', { exact: true }).waitFor();
  await conflict.getByRole('button', { name: 'Use mine' }).click();
  await again.waitFor({ state: 'detached' });
  const merged = (await first.operator('GET', `/attributes/${attribute.id}`)).body;
  expect(merged).toMatchObject({ default_value: 'mine', category: 'profile' });
});

test('an attribute shows how full it is, where it is used, and its most frequent values', async () => {
  const page = await web.signIn({ path: list });
  await rowOf(page, 'CITY').filter({ hasText: '120100%' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'CITY', exact: true }).click();
  await page.getByText('120 contacts, 3 different values').waitFor();
  await page.getByRole('link', { name: '<b>Bonn</b>' }).waitFor();
  await page.getByRole('link', { name: 'People in Ulm' }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('Find a value').fill('ul');
  await page.getByText('30 contacts, 1 different value').waitFor();
  expect(await page.getByRole('link', { name: 'Pune' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Ulm', exact: true }).click();
  await page.getByRole('status').filter({ hasText: '30 contacts' }).first().waitFor();
});

test('an index is built on demand', async () => {
  const page = await web.signIn({ path: `${list}/5` });
  await page.getByText('There is no index.').waitFor();
  await page.getByRole('switch', { name: 'Keep an index of the values' }).press('Space');
  await page.getByText('The index is being built.').waitFor();
  // At 0 % the bar has no width.
  await page.getByRole('progressbar', { name: 'The index is being built.' }).waitFor({ state: 'attached' });
  await buildIndexes(web.service.context);
  await page.getByText('The index is ready.').waitFor();
  await page.goto(`/console${list}`);
  await rowOf(page, 'CITY').filter({ hasText: 'Ready' }).waitFor();
});

test('an attribute in use cannot be deleted, and another one only with the number of lost values', async () => {
  const page = await web.signIn({ path: list });
  await page.getByRole('button', { name: 'Actions for CITY', exact: true }).click();
  expect(await page.getByRole('menuitem', { name: 'Delete' }).isDisabled()).toBe(true);
  await page.getByText('Every account has this attribute.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });

  await act(page, 'TOWN', 'Edit');
  await choose(page, 'Mapped to', 'STATE');
  await page.getByRole('button', { name: 'Save' }).click();
  await rowOf(page, 'TOWN').filter({ hasText: 'STATE' }).waitFor();
  await act(page, 'TOWN', 'Delete');
  const used = page.getByRole('dialog', { name: 'TOWN is in use' });
  await used.getByRole('link', { name: 'STATE' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await act(page, 'SHOES', 'Delete');
  const remove = page.getByRole('dialog', { name: 'Delete SHOES?' });
  await remove.getByText('120 contacts lose their value.', { exact: false }).waitFor();
  const confirm = remove.getByRole('button', { name: 'Delete' });
  expect(await confirm.isDisabled()).toBe(true);
  await remove.getByRole('textbox', { name: 'Type 120 to confirm' }).fill('120');
  await expectAccessible(page);
  await confirm.click();
  await page.getByText('SHOES is deleted.').waitFor();
  await rowOf(page, 'SHOES').waitFor({ state: 'detached' });
});

test('what cannot be changed is shown with the reason', async () => {
  const page = await web.signIn({ role: 'editor', path: list });
  await act(page, 'CITY', 'Edit');
  await page.getByText('Standard attributes cannot be renamed.').waitFor();
  await page.getByText('A standard attribute cannot be mapped.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // An editor does not see masked values.
  await rowOf(page, 'CARD').filter({ hasText: '****' }).waitFor();
  await act(page, 'CARD', 'Edit');
  await page.getByText('To rename a masked attribute, you need the right to see masked values.').waitFor();
  await page.getByText('For a weaker mask, you need the right to see masked values.').waitFor();
  await page.getByText('You cannot see the present default value. A new one replaces it.').waitFor();
  await expectAccessible(page);
  await choose(page, 'Category', 'Profile');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { data } = (await web.service.first.operator('GET', '/attributes')).body;
  expect(data.find(({ name }: { name: string }) => name === 'CARD')).toMatchObject({
    category: 'profile',
    data_masking: 'full',
    default_value: '4711 0815',
  });
});

test('a viewer sees attributes, and is offered no changes', async () => {
  const page = await web.signIn({ role: 'viewer', path: list });
  await rowOf(page, 'CARD').filter({ hasText: '****' }).waitFor();
  expect(await page.getByRole('button', { name: 'Create an attribute' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'CARD', exact: true }).click();
  await page.getByText('The attribute is masked for you, so you cannot see its values.').waitFor();
  await page.getByText('Nothing uses it now.').waitFor();
  expect(await page.getByRole('switch').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  await expectAccessible(page);
});

test('texts are German for German readers, also in a narrow window', async () => {
  const page = await web.signIn({ path: `${list}/5`, locale: 'de-DE', width: 375 });
  await page.getByText('120 Kontakte, 3 verschiedene Werte').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.goto(`/console${list}?group=own`);
  await page.getByText(/^Eigene \d/).waitFor();
  await rowOf(page, 'CARD').waitFor();
  expect(await rowOf(page, 'CITY').count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await expectAccessible(page);
});
