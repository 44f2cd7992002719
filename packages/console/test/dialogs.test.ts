import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { forFile } from '../../server/test/support/for-file.ts';
import { created } from '../../server/test/erasures/support.ts';
import { startConsole } from './support/console.ts';
import { answerQuestions, holdRequests } from './support/requests.ts';

const web = await forFile(startConsole());
const person = await created(web.service.first, { identity: 'person@example.com', attributes: { CITY: 'Bonn' } });

const running = 'Leave this page? Something still runs here, and you will not see its result.';

/** Tries everything that closes a dialog, and expects that it stays. */
async function expectHeld(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  // The request can be on its way before the dialog shows that it waits.
  for (const name of ['Close', 'Cancel']) {
    await expect.poll(() => dialog.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
  }
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  expect(await dialog.count()).toBe(1);
}

/** Presses the Back button. The page can refuse to be left. */
const goBack = (page: Page) => page.evaluate(() => history.back());

async function createList(name: string): Promise<number> {
  return (await web.service.first.operator('POST', '/lists', { name })).body.audience_id as number;
}

test('a dialog that deletes a list stays open while the request runs, and shows its failure', async () => {
  const id = await createList('Held');
  const page = await web.signIn({ path: '/accounts/1/audiences' });
  await page.getByRole('button', { name: 'Actions for Held', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  // Somebody else uses the list meanwhile, so that the deletion fails.
  await web.service.first.operator('POST', '/segments', {
    name: 'Uses it',
    filtering_criteria: [{ condition_details: [{ field: 'list_id', operation: 'equals', value: [id] }] }],
  });
  const held = await holdRequests(page, 'DELETE', /\/lists\/\d+$/);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await held.sent;
  await expectHeld(page);
  held.release();
  await dialog.getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('a dialog that creates an attribute stays open while the request runs, and shows its failure', async () => {
  await web.service.first.apply('/client/attribute/create', { data: [{ name: 'TAKEN', data_type: 'text' }] });
  const page = await web.signIn({ path: '/accounts/1/attributes' });
  await page.getByRole('button', { name: 'Create an attribute' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('TAKEN');
  const held = await holdRequests(page, 'POST', /\/attribute\/create$/);
  await page.keyboard.press('Enter');
  await held.sent;
  await expectHeld(page);
  held.release();
  await dialog.getByText(/The account already has an attribute TAKEN/).waitFor();
});

test('the drawer of a schedule stays open while it saves, and shows a failure', async () => {
  const page = await web.signIn({ path: '/accounts/1/exports/schedules', failsRequests: true });
  await page.getByRole('button', { name: 'New schedule' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Held back');
  await dialog.getByText('All contacts', { exact: true }).click();
  await page.route('**/export-schedules', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503, json: {} }) : route.fallback(),
  );
  const failing = await holdRequests(page, 'POST', /\/export-schedules$/);
  await dialog.getByRole('button', { name: 'Create the schedule' }).click();
  await failing.sent;
  await expectHeld(page);
  failing.release();
  await dialog.getByRole('alert').waitFor();
  await page.unroute('**/export-schedules');
  await dialog.getByRole('button', { name: 'Create the schedule' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /Held back/ }).waitFor();
});

test('who leaves the page while a contact is added is asked first, and stays where he goes', async () => {
  const page = await web.signIn({ path: '/accounts/1/audiences' });
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await page.getByRole('button', { name: 'Add a contact' }).first().click();
  await page.getByRole('dialog').getByLabel('E-mail').fill('slow@example.com');
  const held = await holdRequests(page, 'POST', /\/contact\/create$/);
  await page.keyboard.press('Enter');
  await held.sent;
  const questions = answerQuestions(page, ['dismiss', 'accept']);
  await goBack(page);
  await expect.poll(() => questions).toEqual([running]);
  await page.getByRole('dialog').waitFor();
  await goBack(page);
  await page.getByRole('heading', { name: 'Audiences' }).waitFor();
  expect(questions).toEqual([running, running]);
  // The lists of this page are loaded again when the contact is added. Then, the page would go to it.
  const refreshed = page.waitForResponse(/\/lists\?/);
  held.release();
  await page.getByText('The contact is added.').waitFor();
  await refreshed;
  await page.getByRole('row', { name: /First list/ }).waitFor();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(new URL(page.url()).pathname).toBe('/console/accounts/1/audiences');
});

const unsavedForm = 'Close the form? Your entries are not saved.';
const unsaved = 'Leave this page? Your changes are not saved.';
const shownOnce = 'Leave this page? What it shows now is never shown again.';

/** Waits until an element has the focus. */
const hasFocus = (locator: Locator) =>
  expect.poll(() => locator.evaluate((element) => element === document.activeElement)).toBe(true);

test('dialogs with entries ask before they close', async () => {
  const page = await web.signIn({ path: '/accounts/1/audiences' });
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  const questions = answerQuestions(page, ['dismiss', 'dismiss', 'dismiss', 'accept', 'accept', 'accept']);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add a contact' }).first().click();
  await dialog.getByLabel('E-mail').fill('half@example.com');
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect.poll(() => questions).toEqual([unsavedForm, unsavedForm]);
  await goBack(page);
  await expect.poll(() => questions.length).toBe(3);
  expect(questions[2]).toBe(unsaved);
  expect(await dialog.getByLabel('E-mail').inputValue()).toBe('half@example.com');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('checkbox', { name: /person@example.com/ }).click();
  await page.getByRole('button', { name: 'Add to a list' }).click();
  await dialog.getByRole('textbox', { name: 'Create a list with this name' }).fill('Half-filled');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(questions.length).toBe(5);

  await page.goto('/console/accounts/1/attributes');
  await page.getByRole('button', { name: 'Create an attribute' }).click();
  await dialog.getByLabel('Name').fill('HALF');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(questions).toEqual([unsavedForm, unsavedForm, unsaved, unsavedForm, unsavedForm, unsavedForm]);
});

test('a new API key is closed only by its button', async () => {
  const page = await web.signIn({ path: '/accounts/1/developers/signing-secret' });
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Website');
  await page.keyboard.press('Enter');
  await dialog.locator('pre').waitFor();
  const questions = answerQuestions(page, ['dismiss']);
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await goBack(page);
  await expect.poll(() => questions).toEqual([shownOnce]);
  await dialog.locator('pre').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('the link of an invitation is closed only by its button', async () => {
  const page = await web.signIn({ path: '/accounts/1/settings/members' });
  await page.getByRole('button', { name: 'Invite a person' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill('ravi@example.com');
  await page.keyboard.press('Enter');
  await dialog.locator('pre').waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await dialog.locator('pre').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('a value that is edited in the page of a contact is not lost without a question', async () => {
  const page = await web.signIn({ path: `/accounts/1/contacts/${person}?tab=attributes` });
  const pencil = page.getByRole('button', { name: 'Edit CITY' });
  await pencil.click();
  const field = page.getByRole('textbox', { name: 'CITY' });
  // The Escape key closes an editor without changes, and the focus returns.
  await hasFocus(field);
  await page.keyboard.press('Escape');
  await hasFocus(pencil);

  await page.keyboard.press('Enter');
  await field.fill('Mumbai');
  const questions = answerQuestions(page, ['dismiss', 'dismiss', 'accept']);
  await page.keyboard.press('Escape');
  await expect.poll(() => questions).toEqual([unsavedForm]);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await expect.poll(() => questions).toEqual([unsavedForm, unsaved]);
  // A search loses nothing: the row stays.
  await page.getByRole('textbox', { name: 'Find an attribute' }).fill('FIRST_NAME');
  await page.getByRole('button', { name: 'Edit FIRST_NAME' }).waitFor();
  expect(await field.inputValue()).toBe('Mumbai');
  await field.press('Enter');
  await hasFocus(pencil);
  expect(questions.length).toBe(2);

  await pencil.click();
  await field.fill('Pune');
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('list', { name: 'Timeline' }).waitFor();
  expect(questions.length).toBe(3);
});

test('the filter of a segment is not lost by another tab, and a removed condition passes on the focus', async () => {
  const { body } = await web.service.first.operator('POST', '/segments', {
    name: 'Three conditions',
    filtering_criteria: [
      {
        condition_details: ['Pune', 'Goa', 'Delhi'].map((city) => ({
          field: 'CITY',
          operation: 'not_equals',
          value: [city],
        })),
      },
    ],
  });
  const page = await web.signIn({ path: `/accounts/1/audiences/segments/${body.audience_id}?tab=filter` });
  const remove = page.getByRole('button', { name: 'Remove this condition' });
  await remove.nth(1).click();
  await expect.poll(() => remove.count()).toBe(2);
  await hasFocus(remove.nth(1));
  await page.keyboard.press('Enter');
  await expect.poll(() => remove.count()).toBe(1);
  await hasFocus(remove.first());

  const questions = answerQuestions(page, ['dismiss', 'accept']);
  await page.getByRole('tab', { name: 'Contacts' }).click();
  await expect.poll(() => questions).toEqual([unsaved]);
  expect(await remove.count()).toBe(1);
  await remove.first().click();
  await hasFocus(page.getByRole('button', { name: 'Add a condition' }));
  await page.getByRole('tab', { name: 'Contacts' }).click();
  await page.getByRole('row', { name: /person@example.com/ }).waitFor();
  expect(questions.length).toBe(2);
});

test('a dialog of a menu gives the focus back to the button of the menu', async () => {
  await createList('Renamed');
  const page = await web.signIn({ path: '/accounts/1/audiences' });
  const button = page.getByRole('button', { name: 'Actions for Renamed', exact: true });
  for (const action of ['Rename', 'Delete']) {
    await button.click();
    await page.getByRole('menuitem', { name: action }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await hasFocus(button);
  }
  // The row goes with its list. The table gets the focus.
  await button.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await hasFocus(page.locator('[role=row][tabindex="0"]'));

  await page.goto(`/console/accounts/1/contacts/${person}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Erase' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await hasFocus(page.getByRole('button', { name: 'More actions' }));
});
