import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { forFile } from '../../server/test/support/for-file.ts';
import { storeSegmentCount } from '../../server/src/features/audiences/growth/segment-count-store.ts';
import { follow } from '../../server/test/live-segments/support.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

const web = await forFile(startConsole());
const { first } = web.service;
await first.apply('/contact/create', {
  data: {
    contact_type: 'identified',
    contacts: Array.from({ length: 30 }, (_, at) => ({
      identity: `person${at}@example.com`,
      attributes: { CITY: at < 10 ? 'Pune' : 'Goa' },
      audience_details: [{ audience_id: [1] }],
    })),
  },
});

const filterOf = (field: string, value: string | number) => ({
  filtering_criteria: [{ condition_details: [{ field, operation: 'equals', value: [value] }] }],
});

async function createSegment(name: string, field: string, value: string | number): Promise<number> {
  const { body } = await web.service.first.operator('POST', '/segments', { name, ...filterOf(field, value) });
  return body.audience_id;
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await expectAccessible(page, 'colours');
  await page.getByRole('menuitem', { name: action }).click();
}

test('an empty list leads to an import into it and to the contacts', async () => {
  const { body } = await web.service.first.operator('POST', '/lists', { name: 'Trade fair' });
  const page = await web.signIn({ path: `/accounts/1/audiences/lists/${body.audience_id}` });
  await page.getByRole('link', { name: 'Choose contacts' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Import a file' }).click();
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('EMAIL\nasha@example.com\n') };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('region').or(page.locator('main')).getByText('Trade fair', { exact: true }).waitFor();
});

test('the export of a list has the columns of its table', async () => {
  const page = await web.signIn({ path: '/accounts/1/audiences/lists/1?columns=email%2CCITY' });
  await page.getByRole('gridcell', { name: 'Goa' }).first().waitFor();
  await page.getByRole('link', { name: 'Export', exact: true }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).first();
  await preview.getByRole('columnheader', { name: 'CITY' }).waitFor();
  expect(await preview.getByRole('columnheader').allTextContents()).toEqual(['EMAIL', 'CITY']);
});

test('a list can be created, renamed, duplicated and deleted, and its growth is shown', async () => {
  const page = await web.signIn({ path: '/accounts/1/audiences' });
  await rowOf(page, 'First list').filter({ hasText: '+30' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create a list' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Offers');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/lists')) sent.push(request.url());
  });
  // A double click does not create two lists.
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).dblclick();
  await page.getByRole('heading', { name: 'Offers' }).waitFor();
  expect(sent).toHaveLength(1);
  await page.getByText('No contacts', { exact: true }).waitFor();
  await act(page, 'Offers', 'Rename');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Summer offers');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Summer offers' }).waitFor();
  await page.getByRole('tab', { name: 'Changes' }).click();
  await page.getByRole('row', { name: /Asha Rao.*Renamed from “Offers” to “Summer offers”/ }).waitFor();
  await act(page, 'Summer offers', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/\/audiences$/);
  expect(await rowOf(page, 'Summer offers').count()).toBe(0);

  await act(page, 'First list', 'Duplicate');
  await page.getByRole('textbox', { name: 'Name', exact: true }).press('Enter');
  await page.getByRole('heading', { name: 'Copy of First list' }).waitFor();

  // A list that somebody else has deleted is not shown any more after a change of it.
  const id = new URL(page.url()).pathname.split('/').at(-1)!;
  await act(page, 'Copy of First list', 'Rename');
  await web.service.first.operator('DELETE', `/lists/${id}`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Too late');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'Not found' }).waitFor();
  await page.getByRole('heading', { name: `List ${id}`, level: 1 }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Lists' }).waitFor();
  await web.service.settled();
  await page.goto('/console/accounts/1/audiences/lists/1?tab=growth');
  await page.getByText('30 joined, 0 left.').waitFor();
  await page.getByRole('img', { name: /^Members, / }).waitFor();
  await expectAccessible(page);
  // A screen reader reads the numbers in a table.
  await page.getByRole('button', { name: 'Joined and left: Show as a table' }).click();
  const numbers = page.getByRole('table').getByRole('row').nth(1).getByRole('cell');
  expect((await numbers.allInnerTexts()).slice(1)).toEqual(['30', '0']);
  await page.mouse.move(0, 0);
  await page.getByRole('tooltip').waitFor({ state: 'detached' });
  await expectAccessible(page);
  await page.getByText('90 days', { exact: true }).click();
  await page.waitForURL(/tab=growth&days=90$/);
  await page.goBack();
  await page.waitForURL(/tab=growth$/);
  expect(await page.getByRole('radio', { name: '30 days' }).isChecked()).toBe(true);
});

test('an audience that a segment uses shows where, and cannot be deleted', async () => {
  await createSegment('Readers', 'list_id', 1);
  const page = await web.signIn({ path: '/accounts/1/audiences' });
  await rowOf(page, 'First list').filter({ hasText: 'Readers' }).first().waitFor();
  await act(page, 'First list', 'Delete');
  await page.getByRole('dialog', { name: '“First list” is in use' }).getByText('Segment: Readers').waitFor();
  await page.keyboard.press('Escape');
  const { body } = await web.service.first.operator('POST', '/export-schedules', {
    name: 'Nightly readers',
    audience_type: 'list',
    audience_id: 1,
    attributes: ['EMAIL'],
    timing: { every: 'day', at: '06:30' },
  });
  await page.goto('/console/accounts/1/audiences/lists/1?tab=uses');
  await page.getByRole('link', { name: 'Nightly readers' }).click();
  await page.getByRole('dialog', { name: 'Nightly readers' }).waitFor();
  expect(new URL(page.url()).searchParams.get('schedule')).toBe(body.schedule_id);
  await page.goto('/console/accounts/1/audiences/lists/1?tab=uses');
  await page.getByRole('link', { name: 'Readers', exact: true }).click();
  await page.getByRole('heading', { name: 'Readers' }).waitFor();
});

test('two people who change the filter of one segment see both filters, and choose', async () => {
  const id = await createSegment('Pune', 'CITY', 'Pune');
  const page = await web.signIn({ path: `/accounts/1/audiences/segments/${id}?tab=filter` });
  await page.getByText('CITY is “Pune”').waitFor();
  await web.service.first.operator('PATCH', `/segments/${id}`, filterOf('CITY', 'Goa'));

  await page.getByRole('combobox', { name: 'Value' }).fill('Delhi');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save the filter' }).click();
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed this too' });
  await dialog.getByText('CITY is “Goa”').waitFor();
  await dialog.getByText('CITY is “Pune” or “Delhi”').waitFor();
  await expectAccessible(page);
  expect((await web.service.first.operator('GET', `/segments/${id}`)).body.contact_count).toBe(20);
  await dialog.getByRole('button', { name: 'Use mine' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect((await web.service.first.operator('GET', `/segments/${id}`)).body.contact_count).toBe(10);
  await page.getByRole('tab', { name: 'Changes' }).click();
  await page.getByText('Filter changed').first().waitFor();
});

test('segments are counted, found by name and copied', async () => {
  const id = await createSegment('All of Goa', 'CITY', 'Goa');
  const page = await web.signIn({ path: '/accounts/1/audiences?tab=segments' });
  await page.getByRole('textbox', { name: 'Find by name' }).fill('GOA');
  await page.waitForURL(/contains=GOA/);
  await rowOf(page, 'All of Goa').filter({ hasText: '20' }).waitFor();
  await expect.poll(() => rowOf(page, 'Readers').count()).toBe(0);
  await expectAccessible(page);
  await act(page, 'All of Goa', 'Duplicate');
  await page.getByRole('textbox', { name: 'Name', exact: true }).press('Enter');
  await page.getByRole('heading', { name: 'Copy of All of Goa' }).waitFor();

  await page.goto(`/console/accounts/1/audiences/segments/${id}?tab=growth`);
  await page.getByText('The chart begins tomorrow.').waitFor();
  const today = new Date().toISOString().slice(0, 10);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await storeSegmentCount(web.service.context.db, { accountId: 1, audienceId: id, day: yesterday }, 17);
  await storeSegmentCount(web.service.context.db, { accountId: 1, audienceId: id, day: today }, 20);
  await page.reload();
  await page.getByText(/^\+3 since .*Counted once a day/).waitFor();
  await expectAccessible(page);
});

test('a segment is made live, shows who enters and leaves, and is turned off again', async () => {
  const { service } = web;
  const id = await createSegment('Movers', 'CITY', 'Bonn');
  const page = await web.signIn({ path: `/accounts/1/audiences/segments/${id}?tab=live` });
  await page.getByText('Not live', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Make it live' }).click();
  await page.getByText('Filling', { exact: true }).waitFor();
  await follow(service.context, 1);
  await page.getByText('Following', { exact: true }).waitFor();
  await page.getByText('Nobody entered or left yet').waitFor();
  await expectAccessible(page);
  const move = (CITY: string, ...numbers: number[]) =>
    service.first.apply('/contact/update', {
      data: { contacts: numbers.map((at) => ({ identity: `person${at}@example.com`, attributes: { CITY } })) },
    });
  await move('Bonn', 0, 20);
  await follow(service.context, 1);
  await move('Ulm', 20);
  await follow(service.context, 1);
  await page.reload();
  await page.getByRole('row', { name: /person20@example.com.*Left.*The contact or its activities changed/ }).waitFor();
  await page
    .getByRole('row', { name: /person0@example.com.*Entered.*The contact or its activities changed/ })
    .waitFor();
  await page.getByText('1 member', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'person20@example.com' }).first().click();
  await page.getByText('person20@example.com').first().waitFor();
  await page.goBack();
  await page.getByRole('tab', { name: 'Growth' }).click();
  await page.getByRole('heading', { name: 'Entries and departures' }).waitFor();
  await expectAccessible(page);
  await page.goto('/console/accounts/1/audiences?tab=segments');
  await rowOf(page, 'Movers').filter({ hasText: 'Live' }).waitFor();
  await page.goto(`/console/accounts/1/audiences/segments/${id}?tab=live`);
  await page.getByRole('switch', { name: 'Live' }).press('Space');
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
  await page.getByText('Not live', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Changes' }).click();
  await page.getByText('No longer live').waitFor();
  await move('Pune', 0);
  await move('Goa', 20);
});

test('the contacts that entered a live segment have their names, which one search finds', async () => {
  const { service } = web;
  const { first } = service;
  const ANON = { contact_type: 'anonymous', contacts: [{ attributes: { CITY: 'Mahe' } }] };
  await first.apply('/contact/create', { data: ANON });
  await first.apply('/contact/create', {
    data: {
      contact_type: 'identified',
      contacts: [
        { identity: 'gone@example.com', attributes: { CITY: 'Mahe' } },
        { identity: 'stays@example.com', attributes: { CITY: 'Mahe' } },
      ],
    },
  });
  const id = await createSegment('Islands', 'CITY', 'Mahe');
  await first.operator('PATCH', `/segments/${id}`, { live: true });
  await follow(service.context, 1);
  await first.apply('/contact/delete', { data: { contacts: [{ identity: 'gone@example.com' }] } });
  await follow(service.context, 1);
  const path = `/accounts/1/audiences/segments/${id}?tab=live`;
  const page = await web.signIn();
  let searches = 0;
  page.on('request', (request) => (searches += request.url().endsWith('/contact/search') ? 1 : 0));
  await page.goto(`/console${path}`);
  await page.getByRole('row', { name: /Anonymous contact \d+.*Entered/ }).waitFor();
  await page.getByRole('row', { name: /stays@example.com.*Entered/ }).waitFor();
  await page.getByRole('row', { name: /^Contact \d+.*Left/ }).waitFor();
  expect(await page.getByRole('link', { name: /^Contact \d/ }).count()).toBe(0);
  expect(searches).toBe(1);
  await expectAccessible(page);
});

test('a viewer sees a live segment, and cannot turn it off', async () => {
  const id = await createSegment('Watched', 'CITY', 'Goa');
  await web.service.first.operator('PATCH', `/segments/${id}`, { live: true });
  await follow(web.service.context, 1);
  const page = await web.signIn({ role: 'viewer', path: `/accounts/1/audiences/segments/${id}?tab=live` });
  await page
    .getByRole('row', { name: /Entered.*The segment became live/ })
    .first()
    .waitFor();
  expect(await page.getByRole('switch', { name: 'Live' }).isDisabled()).toBe(true);
  const plain = await createSegment('Unwatched', 'CITY', 'Goa');
  await page.goto(`/console/accounts/1/audiences/segments/${plain}?tab=live`);
  await page.getByText('Not live', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Make it live' }).count()).toBe(0);
});

test('a viewer can read audiences, and is offered no changes', async () => {
  const page = await web.signIn({ role: 'viewer', path: '/accounts/1/audiences/lists/1' });
  await page.getByRole('gridcell', { name: 'person1@example.com' }).waitFor();
  await page.getByRole('columnheader', { name: 'CITY' }).getByRole('button').click();
  await page.waitForURL(/lists\/1\?sort=CITY$/);
  await page.reload();
  await page.getByRole('columnheader', { name: 'CITY' }).and(page.locator('[aria-sort=ascending]')).waitFor();
  expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Export', exact: true }).count()).toBe(0);
  await page.goto('/console/accounts/1/audiences');
  await page.getByRole('row', { name: /^First list/ }).waitFor();
  expect(await page.getByRole('button', { name: 'Create a list' }).count()).toBe(0);
  // There is no empty column for actions.
  expect(await page.getByRole('columnheader', { name: 'Actions' }).count()).toBe(0);
});

test('a filter on a masked attribute is shown without its values to a person who may not see them', async () => {
  await web.service.first.apply('/client/attribute/create', {
    data: [{ name: 'CARD', data_type: 'text', data_masking: 'full' }],
  });
  await web.service.first.apply('/contact/create', {
    data: {
      contact_type: 'identified',
      contacts: ['4111', '4111', '4222'].map((CARD, at) => ({
        identity: `card${at}@example.com`,
        attributes: { CARD },
      })),
    },
  });
  const id = await createSegment('Cards', 'CARD', '4111');
  for (const role of ['editor', 'viewer'] as const) {
    const page = await web.signIn({ role });
    const searches: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') searches.push(request.postData() ?? '');
    });
    const failures: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`/console/accounts/1/audiences/segments/${id}?tab=filter`);
    await page.getByText('CARD is “****”').waitFor();
    await page.getByRole('status').filter({ hasText: '2 contacts' }).waitFor();
    await page.getByText('This filter uses a masked attribute.').waitFor();
    await expectAccessible(page);
    expect(await page.getByRole('button', { name: 'Add a condition' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save the filter' }).count()).toBe(0);
    expect(searches.length).toBeGreaterThan(0);
    expect(searches.filter((body) => body.includes('****'))).toEqual([]);
    expect(failures).toEqual([]);
    if (role === 'viewer') continue;
    await page.getByRole('button', { name: 'Actions for Cards' }).click();
    expect(await page.getByRole('menuitem', { name: 'Duplicate' }).isDisabled()).toBe(true);
    await page.getByRole('menu').getByText('ask an owner for the right to see unmasked values').waitFor();
  }
  const page = await web.signIn({ role: 'editor', unmasked: true, path: `/accounts/1/audiences/segments/${id}` });
  await page.getByRole('tab', { name: 'Filter' }).click();
  await page.getByText('CARD is “4111”').waitFor();
  await page.getByRole('button', { name: 'Save the filter' }).waitFor();
});

test('an audience that does not exist says so', async () => {
  const page = await web.signIn({ path: '/accounts/1/audiences/segments/9999' });
  await page.getByText('Not found').waitFor();
});
