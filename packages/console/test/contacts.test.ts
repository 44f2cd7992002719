import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../embedded-postgres/test/support.ts';
import { forFile } from '../../server/test/support/for-file.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';
import { addPeople, contacts, contactsPage, count, fillCondition } from './support/contacts.ts';
import { holdRequests } from './support/hold-requests.ts';
import { chooseOption, pressEnterOn, tabTo } from './support/keyboard.ts';

const { path: directory } = await forFile(temporaryDirectory());
const web = await forFile(startConsole({ config: { dataDir: directory } }));
await forFile(web.service.startJobs());
await addPeople(web.service.first);

test('a segment of three conditions is built, saved, exported and downloaded with the keyboard alone', async () => {
  const page = await web.signIn({ path: contactsPage });
  await count(page, '450 contacts');
  await pressEnterOn(page, page.getByRole('button', { name: 'Filter' }));
  await fillCondition(page, 'CITY', 'is');
  await page.keyboard.type('Pun');
  // Frequent values of the attribute are suggested.
  await chooseOption(page, 'Pune');
  await count(page, '150 contacts');
  await pressEnterOn(page, page.getByRole('button', { name: 'Add a condition' }));
  await fillCondition(page, 'Mobile', 'begins with');
  await page.keyboard.type('9198000000');
  await count(page, '34 contacts');
  await pressEnterOn(page, page.getByRole('button', { name: 'Add a condition' }));
  await fillCondition(page, 'Opted out of e-mail', 'is');
  await page.keyboard.press('ArrowRight');
  await count(page, '34 contacts');
  expect(page.url()).toContain('email_opted_out');
  await expectAccessible(page);

  await pressEnterOn(page, page.getByRole('button', { name: 'Save as segment' }));
  const dialog = page.getByRole('dialog', { name: 'Save as segment' });
  await dialog.getByText('CITY is “Pune” and Mobile begins with 9198000000 and Opted out of e-mail is no').waitFor();
  await page.waitForFunction(() => document.activeElement?.closest('[role=dialog] form') !== null);
  await page.keyboard.type('Pune, first hundred');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Pune, first hundred' }).waitFor();
  await count(page, '34 contacts');

  await pressEnterOn(page, page.getByRole('link', { name: 'Export', exact: true }));
  await page.getByRole('heading', { name: 'New export' }).waitFor();
  await page.getByRole('cell', { name: 'person0@example.com' }).first().waitFor();
  await tabTo(page, page.getByRole('combobox', { name: 'Columns' }));
  // The columns of the table are chosen. Only the first one stays.
  const columns = page.getByRole('region', { name: 'Preview' }).first().getByRole('columnheader');
  for (let left = await columns.count(); left > 1; left--) await page.keyboard.press('Backspace');
  await page.keyboard.type('CITY');
  await chooseOption(page, 'CITY');
  await pressEnterOn(page, page.getByRole('button', { name: 'Start the export' }));
  await page.getByText('Completed', { exact: true }).waitFor();
  const link = page.getByRole('link', { name: 'Download' });
  await tabTo(page, link);
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  const rows = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  const expected = Array.from({ length: 34 }, (_, at) => `person${at * 3}@example.com,Pune`);
  expect([rows[0], rows.slice(1).toSorted()]).toEqual(['EMAIL,CITY', expected.toSorted()]);
}, 120_000);

test('a number in a filter is read in the language of the console', async () => {
  const filter = encodeURIComponent('["and",["and",["SPENT","greater_than",0]]]');
  for (const { locale, label, word, texts } of [
    {
      locale: 'en-GB',
      label: 'Value',
      word: 'contact',
      texts: [
        ['1,234', '1,234', 2],
        ['1.234', '1.234', 4],
        ['1.234,50', '1,234.5', 1],
        ['1,234.4', '1,234.4', 2],
      ],
    },
    {
      locale: 'de-DE',
      label: 'Wert',
      word: 'Kontakt',
      texts: [
        ['1.234', '1.234', 2],
        ['1,234', '1,234', 4],
        ['1.234,5', '1.234,5', 1],
        ['1,234.50', '1.234,5', 1],
      ],
    },
  ] as const) {
    const page = await web.signIn({ path: `${contactsPage}?build=true&filter=${filter}`, locale });
    const input = page.getByRole('textbox', { name: label, exact: true });
    for (const [typed, shown, found] of texts) {
      for (const way of ['typed', 'pasted']) {
        await input.fill('');
        if (way === 'typed') await input.pressSequentially(typed);
        else {
          await page.evaluate((text) => navigator.clipboard.writeText(text), typed);
          await page.keyboard.press('Control+V');
        }
        await count(page, new RegExp(`^${found} ${word}`));
        await input.blur();
        expect([way, typed, await input.inputValue()]).toEqual([way, typed, shown]);
      }
    }
    // A text that is not a number has an error, and the last complete filter stays.
    await input.fill('1.2.3');
    await page
      .getByText(locale === 'de-DE' ? /Geben Sie eine Zahl ein, zum Beispiel 1.234,5/ : /such as 1,234.5/)
      .waitFor();
    await expectAccessible(page);
  }
});

test('several numbers in a filter are read in the language of the console', async () => {
  const filter = encodeURIComponent('["and",["and",["SPENT","equals",2000]]]');
  const page = await web.signIn({ path: `${contactsPage}?build=true&filter=${filter}`, locale: 'de-DE' });
  await count(page, '1 Kontakt');
  await page.getByText('2.000', { exact: true }).first().waitFor();
  const input = page.getByRole('combobox', { name: 'Wert' }).or(page.getByRole('textbox', { name: 'Wert' }));
  await input.pressSequentially('1.234,5 ');
  await count(page, '2 Kontakte');
  await input.pressSequentially('1,5;');
  await count(page, '3 Kontakte');
  await page.reload();
  await page.getByText('1.234,5', { exact: true }).first().waitFor();
});

test('contacts are found by what they did, and the segment says it in a sentence', async () => {
  const { first } = web.service;
  const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const by = (person: number, activity: string, days: number) => ({
    identity: `person${person}@example.com`,
    channel: 'email',
    activity,
    occurred_at: at(days),
  });
  const data = [
    by(1, 'open', 3),
    by(2, 'open', 3),
    by(2, 'click', 60),
    by(3, 'open', 40),
    by(4, 'open', 3),
    by(4, 'open', 4),
  ];
  expect((await first.operator('POST', '/activities', { data })).status).toBe(200);
  await web.service.settled();

  const page = await web.signIn({ path: contactsPage });
  await page.getByRole('button', { name: 'Filter' }).click();
  const condition = (number: number) => page.getByRole('group', { name: 'Activities' }).nth(number);
  const choose = async (number: number, label: string, option: string): Promise<void> => {
    await condition(number).getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const chooseActivities = async (): Promise<void> => {
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Field');
    await page.keyboard.type('Activities');
    await page.getByRole('option', { name: 'Activities' }).click();
  };
  await chooseActivities();
  // A new condition means: opened at least once in the last 30 days.
  await count(page, '3 contacts');
  await condition(0).getByRole('textbox', { name: 'Times' }).fill('2');
  await count(page, '1 contact');
  await condition(0).getByRole('textbox', { name: 'Times' }).fill('1');
  await count(page, '3 contacts');
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await chooseActivities();
  await choose(1, 'Operation', 'never');
  // The Backspace key removes `opened`.
  await condition(1).getByRole('combobox', { name: 'What happened' }).focus();
  await page.keyboard.press('Backspace');
  await choose(1, 'What happened', 'clicked');
  await page.keyboard.press('Escape');
  await condition(1).getByRole('textbox', { name: 'Number', exact: true }).fill('90');
  await count(page, '2 contacts');
  await expectAccessible(page);

  await choose(1, 'Message', 'message with the name');
  await condition(1).getByLabel('message with the name', { exact: true }).fill('Winter offers');
  await page.keyboard.press('Enter');
  await count(page, '3 contacts');
  await choose(1, 'Message', 'any message');
  await count(page, '2 contacts');

  await page.reload();
  await count(page, '2 contacts');
  await page.getByRole('button', { name: 'Save as segment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as segment' });
  const sentence = 'opened at least once in the last 30 days and never clicked in the last 90 days';
  await dialog.getByText(sentence).waitFor();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Losing interest');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Losing interest' }).waitFor();
  await count(page, '2 contacts');
  const id = Number(/segments\/(\d+)/.exec(page.url())![1]);
  const { filtering_criteria: criteria } = (await first.operator('GET', `/segments/${id}`)).body;
  expect(criteria[0].condition_details).toEqual([
    {
      field: 'activity',
      field_category: 'activity',
      operation: 'at_least',
      value: [1],
      activity: ['open'],
      when: { operation: 'in_last', value: ['30 days'] },
    },
    {
      field: 'activity',
      field_category: 'activity',
      operation: 'never',
      activity: ['click'],
      when: { operation: 'in_last', value: ['90 days'] },
    },
  ]);

  const german = await web.signIn({ path: `/accounts/1/audiences/segments/${id}?tab=filter`, locale: 'de-DE' });
  await german
    .getByText('hat mindestens einmal in den letzten 30 Tagen geöffnet und hat nie in den letzten 90 Tagen geklickt')
    .waitFor();
}, 120_000);

test('the filter leads to the full form of an export, which says what it exports', async () => {
  const filter = encodeURIComponent('["and",["and",["CITY","equals","Goa"]]]');
  const page = await web.signIn({ path: `${contactsPage}?filter=${filter}&columns=email,list_id,CITY` });
  await count(page, '300 contacts');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.waitForURL(/\/exports\/new\?.*filter=/);
  await page.getByText('CITY is “Goa”').waitFor();
  await expect.poll(() => page.getByRole('columnheader').allTextContents()).toEqual(['EMAIL', 'CITY']);
  await page.reload();
  await page.getByText('CITY is “Goa”').waitFor();
  await expectAccessible(page);
});

test('the address keeps filter, columns and order, and a damaged filter shows no contacts', async () => {
  const page = await web.signIn({ path: contactsPage });
  await page.getByRole('columnheader', { name: 'FIRST_NAME' }).getByRole('button').click();
  await page.waitForURL(/sort=FIRST_NAME/);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'BIRTH_DATE' }).check();
  await page.waitForURL(/columns=.*BIRTH_DATE/);
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByRole('columnheader', { name: 'BIRTH_DATE' }).waitFor();
  await expect
    .poll(() => page.getByRole('columnheader', { name: 'FIRST_NAME' }).getAttribute('aria-sort'))
    .toBe('ascending');
  await page.goBack();
  await expect.poll(() => page.getByRole('columnheader', { name: 'BIRTH_DATE' }).count()).toBe(0);

  for (const filter of ['["and",["and",["CITY"]]]', '["and",["and",["TOWN","equals","x"]]]', 'x']) {
    await page.goto(`/console${contactsPage}?filter=${encodeURIComponent(filter)}`);
    await page.getByRole('alert').filter({ hasText: 'The filter in the address is damaged' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(0);
  }
  await page.getByRole('button', { name: 'Show all contacts' }).click();
  await count(page, '450 contacts');
});

test('quick find opens a contact with the keyboard only', async () => {
  const page = await web.signIn({ path: contactsPage });
  await page.getByRole('combobox', { name: 'Find a contact' }).fill('+91 98000 00042');
  await page.getByRole('option').filter({ hasText: 'person42@example.com' }).waitFor();
  await page.locator('[data-combobox-selected]').filter({ hasText: 'person42@example.com' }).waitFor();
  await expectAccessible(page, 'colours');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/contacts\/\d+$/);
});

test('a person who leaves the page while a segment is saved stays on the other page, and gets a link to it', async () => {
  const filter = encodeURIComponent('["and",["and",["CITY","equals","Goa"]]]');
  const page = await web.signIn({ path: `${contactsPage}?filter=${filter}`, locale: 'de-DE' });
  await page.getByRole('navigation').getByRole('link', { name: 'Importe' }).click();
  await page.getByRole('heading', { name: 'Importe' }).waitFor();
  await page.goBack();
  const held = await holdRequests(page, '**/segments');
  await page.getByRole('button', { name: 'Als Segment speichern' }).click();
  const dialog = page.getByRole('dialog', { name: 'Als Segment speichern' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Später');
  await dialog.getByRole('button', { name: 'Speichern' }).click();
  await held.arrived;
  page.once('dialog', (question) => void question.accept());
  await page.evaluate(() => history.forward());
  await page.getByRole('heading', { name: 'Importe' }).waitFor();
  held.release();
  await page.getByText('Das Segment ist gespeichert').waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/accounts/1/imports');
  await page.getByRole('link', { name: 'Segment öffnen' }).click();
  await page.getByRole('heading', { name: 'Später' }).waitFor();
});

test('a change of many contacts needs the exact number, and shows its result', async () => {
  const page = await web.signIn({ path: contactsPage });
  await count(page, '450 contacts');
  await page.getByRole('checkbox', { name: 'Select the loaded contacts' }).click();
  await page.getByRole('button', { name: 'Select all 450 contacts that match' }).click();
  await page.getByRole('button', { name: 'Add to a list' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to a list' });
  await dialog.getByRole('textbox', { name: 'Create a list with this name' }).fill('Everyone');
  await dialog.getByText('This affects 450 contacts.').waitFor();
  const confirm = dialog.getByRole('button', { name: 'Add to a list' });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: 'Type 450 to confirm' }).fill('45');
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: 'Type 450 to confirm' }).fill('450');
  await confirm.click();
  await page.getByText('450 changed, 0 unchanged, 0 failed').waitFor();

  await page.goto('/console/accounts/1/audiences');
  await page.getByRole('row').filter({ hasText: 'Everyone' }).filter({ hasText: '+450' }).waitFor();
});

test('a new list is created once, even if the number of contacts changes before the confirmation', async () => {
  const { first } = web.service;
  const add = (...names: string[]) =>
    first.apply('/contact/create', {
      data: {
        contact_type: 'identified',
        contacts: names.map((name) => ({ identity: `${name}@example.net` })),
      },
    });
  await add('once0', 'once1');
  const filter = encodeURIComponent('["and",["and",["email","ends_with","@example.net"]]]');
  const page = await web.signIn({ path: `${contactsPage}?filter=${filter}` });
  await count(page, '2 contacts');
  await page.getByRole('checkbox', { name: 'Select the contact once0@example.net' }).click();
  await page.getByRole('button', { name: 'Select all 2 contacts that match' }).click();
  await page.getByRole('button', { name: 'Add to a list' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to a list' });
  const name = dialog.getByRole('textbox', { name: 'Create a list with this name' });
  await name.fill('Only once');
  await dialog.getByText('This affects 2 contacts.').waitFor();
  await add('once2');
  await dialog.getByRole('button', { name: 'Add to a list' }).click();
  await dialog.getByText('The number of contacts has changed to 3.').waitFor();
  // The list has the last name.
  await name.fill('Only one');
  await dialog.getByRole('button', { name: 'Add to a list' }).click();
  await page.getByText('3 changed, 0 unchanged, 0 failed').waitFor();
  const { data } = (await first.operator('GET', '/lists?contains=Only')).body;
  expect(data.map(({ name: one }: { name: string }) => one)).toEqual(['Only one']);
  const identities = ['once0', 'once1', 'once2'].map((one) => ({ identity: `${one}@example.net` }));
  await first.apply('/contact/delete', { data: { contacts: identities } });
});

test('a new list is deleted when its change was refused and the dialog is cancelled', async () => {
  const { first } = web.service;
  const add = (name: string) =>
    first.apply('/contact/create', {
      data: { contact_type: 'identified', contacts: [{ identity: `${name}@example.info` }] },
    });
  const lists = async (): Promise<number> => (await first.operator('GET', '/lists?contains=Unwanted')).body.data.length;
  await add('never0');
  await add('never1');
  const filter = encodeURIComponent('["and",["and",["email","ends_with","@example.info"]]]');
  const page = await web.signIn({ path: `${contactsPage}?filter=${filter}` });
  await count(page, '2 contacts');
  await page.getByRole('checkbox', { name: 'Select the contact never0@example.info' }).click();
  await page.getByRole('button', { name: 'Select all 2 contacts that match' }).click();
  await page.getByRole('button', { name: 'Add to a list' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to a list' });
  await dialog.getByRole('textbox', { name: 'Create a list with this name' }).fill('Unwanted');
  await dialog.getByText('This affects 2 contacts.').waitFor();
  await add('never2');
  await dialog.getByRole('button', { name: 'Add to a list' }).click();
  await dialog.getByText('The number of contacts has changed to 3.').waitFor();
  expect(await lists()).toBe(1);
  page.once('dialog', (question) => void question.accept());
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(lists).toBe(0);
  const identities = ['never0', 'never1', 'never2'].map((name) => ({ identity: `${name}@example.info` }));
  await first.apply('/contact/delete', { data: { contacts: identities } });
});

test('a change of selected contacts reports the ones that failed', async () => {
  const { first } = web.service;
  await first.apply('/contact/create', {
    data: {
      contact_type: 'identified',
      contacts: ['bulk0', 'bulk1', 'bulk2'].map((name) => ({ identity: `${name}@example.org` })),
    },
  });
  const filter = encodeURIComponent('["and",["and",["email","ends_with","@example.org"]]]');
  const page = await web.signIn({ path: `${contactsPage}?filter=${filter}` });
  await count(page, '3 contacts');
  await page.getByRole('checkbox', { name: 'Select the loaded contacts' }).click();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Set an attribute' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set an attribute' });
  await dialog.getByRole('combobox', { name: 'Attribute' }).fill('CITY');
  await page.getByRole('option', { name: 'CITY', exact: true }).click();
  await dialog.getByRole('textbox', { name: 'New value' }).fill('Ulm');
  await dialog.getByText('This affects 3 contacts.').waitFor();
  await expectAccessible(page);
  // Somebody deletes one of them meanwhile.
  await first.apply('/contact/delete', { data: { contacts: [{ identity: 'bulk1@example.org' }] } });
  await dialog.getByRole('button', { name: 'Set an attribute' }).click();
  await page.getByText('2 changed, 0 unchanged, 1 failed').waitFor();
  await page.getByRole('gridcell', { name: 'Ulm' }).first().waitFor();
  await count(page, '2 contacts');
  await page.getByRole('link', { name: 'Show the failures' }).click();
  await page.getByRole('row').filter({ hasText: 'contact_not_found' }).waitFor();
  await page.waitForURL(/\/contacts\/bulk-changes\/[\w-]+$/);

  await page.goBack();
  await page.getByRole('checkbox', { name: 'Select the loaded contacts' }).click();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('2 changed, 0 unchanged, 0 failed').waitFor();
  await page.getByRole('heading', { name: 'No contact matches' }).waitFor();
  await page.getByRole('link', { name: 'Bulk changes' }).click();
  await page.getByRole('row').filter({ hasText: 'CITY' }).waitFor();
});

test('a view of the contacts is saved, shared, renamed, opened and deleted', async () => {
  const page = await web.signIn({ path: `${contactsPage}?columns=email,CITY&sort=-CITY` });
  const views = page.getByRole('dialog', { name: 'Views' });
  await page.getByRole('button', { name: 'Views' }).click();
  await views.getByRole('textbox', { name: 'Save this view' }).fill('Cities');
  await views.getByRole('button', { name: 'Save', exact: true }).click();
  await views.getByRole('button', { name: 'Change Cities' }).click();
  await expectAccessible(page);
  await views.getByRole('textbox', { name: 'Name' }).fill('All cities');
  await views.getByRole('checkbox', { name: 'Everyone in the account sees it' }).check();
  await views.getByRole('button', { name: 'Save', exact: true }).click();
  await views.getByText('Shared views').waitFor();

  const viewer = await web.signIn({ role: 'viewer', path: contactsPage });
  await viewer.getByRole('button', { name: 'Views' }).click();
  await viewer.getByRole('button', { name: 'All cities', exact: true }).click();
  await viewer.waitForURL(/sort=-CITY/);
  await expect.poll(() => viewer.getByRole('columnheader').allTextContents()).toEqual(['E-mail', 'CITY']);
  await viewer.getByRole('button', { name: 'Views' }).click();
  await viewer.getByRole('button', { name: 'All cities', exact: true }).waitFor();
  expect(await viewer.getByRole('button', { name: 'Change All cities' }).count()).toBe(0);

  await views.getByRole('button', { name: 'Change All cities' }).click();
  await views.getByRole('button', { name: 'Delete All cities' }).click();
  await views.getByText('No views yet').waitFor();
});

test('values are text: HTML is not run, long and right-to-left values fit', async () => {
  const filter = encodeURIComponent(
    '["and",["and",["email","equals","person7@example.com","person8@example.com","person9@example.com"]]]',
  );
  const page = await web.signIn({ path: `${contactsPage}?filter=${filter}&columns=email,FIRST_NAME,LAST_NAME` });
  await count(page, '3 contacts');
  await page.getByRole('gridcell', { name: '<img src=x onerror=alert(1)>' }).waitFor();
  await page.getByRole('gridcell', { name: 'שלום עולם' }).waitFor();
  expect(await page.locator('img[src="x"]').count()).toBe(0);
  const long = page.getByRole('gridcell').filter({ hasText: 'xxxxxxxxxx' });
  expect((await long.textContent())!.length).toBeLessThan(300);
});

test('a viewer sees masked values as masked, and nothing to change contacts', async () => {
  const page = await web.signIn({ role: 'viewer', path: `${contactsPage}?columns=email,CARD` });
  await count(page, '450 contacts');
  await page.getByRole('gridcell', { name: 'Masked: you may not see this value ****' }).first().waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(await page.getByRole('columnheader', { name: 'CARD' }).getByRole('button').count()).toBe(0);
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('combobox', { name: 'Field' }).fill('CA');
  expect(await page.getByRole('option', { name: 'CARD' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await expectAccessible(page);
});

test('scrolling through all contacts shows each of them once', async () => {
  const page = await web.signIn({ path: contactsPage });
  await count(page, '450 contacts');
  const seen = new Set<string>();
  await page.getByRole('gridcell').filter({ hasText: '@example.com' }).first().waitFor();
  const row = page.locator('[data-row="0"]');
  const hasFocus = (): Promise<boolean> => row.evaluate((element) => element === document.activeElement);
  await tabTo(page, row);
  for (const isSelected of ['true', 'false', 'true']) {
    await page.keyboard.press('Space');
    await expect.poll(() => row.getAttribute('aria-selected')).toBe(isSelected);
    expect(await hasFocus()).toBe(true);
  }
  await page.getByText('1 selected').waitFor();
  // A row that is scrolled out of the window keeps the focus.
  const scroll = (top: number) =>
    row.evaluate((element, to) => element.closest('[role=grid]')!.parentElement!.scrollTo(0, to), top);
  await scroll(5000);
  await page.locator('[data-row="140"]').waitFor();
  expect(await hasFocus()).toBe(true);
  await scroll(0);
  await page.locator('[data-row="1"]').waitFor();
  // The rows are one step of the Tab key.
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('[role=row]') === null)).toBe(true);
  await page.keyboard.press('Shift+Tab');
  expect(await hasFocus()).toBe(true);
  while (seen.size < contacts) {
    const before = await page.evaluate(() => document.activeElement?.getAttribute('data-row'));
    for (const text of await page.getByRole('gridcell').filter({ hasText: '@example.com' }).allTextContents()) {
      seen.add(text);
    }
    if (seen.size === contacts) break;
    await page.keyboard.press('PageDown');
    await page.waitForFunction((row) => {
      const active = document.activeElement;
      // The rows before it are there when the scrolling is done.
      const previous = active?.previousElementSibling?.getAttribute('data-row');
      return (
        active?.getAttribute('data-row') !== row && previous === String(Number(active?.getAttribute('data-row')) - 1)
      );
    }, before);
  }
  expect(seen.size).toBe(contacts);
  await page.getByText('450 rows').waitFor();
});

test('texts are German for German readers, also in a narrow window', async () => {
  const page = await web.signIn({ path: `${contactsPage}?build=true`, locale: 'de-DE', width: 375 });
  await page.getByRole('heading', { name: 'Kontakte' }).waitFor();
  await count(page, '450 Kontakte');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await expectAccessible(page);
});
