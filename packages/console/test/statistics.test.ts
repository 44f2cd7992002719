import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { forFile } from '../../server/test/support/for-file.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

const day = 86_400_000;
let now = Date.now();

const console = await forFile(startConsole({ now: () => new Date(now) }));
const messages = await fill();
await forFile(console.service.startJobs());

/** Adds contacts over some weeks, three messages with their activities, and a failure. */
async function fill(): Promise<string[]> {
  const { first } = console.service;
  const end = now;
  const people = Array.from({ length: 240 }, (_, index) => `person${index}@example.com`);
  for (let week = 0; week < 6; week++) {
    now = end - (40 - week * 7) * day;
    const contacts = people.slice(week * 40, week * 40 + 40).map((identity, index) => ({
      identity,
      ...(index % 3 === 0 ? { mobile: `91980000${1000 + week * 40 + index}` } : {}),
    }));
    await first.apply('/contact/create', { data: { contact_type: 'identified', contacts } });
    const gone = people[week * 40]!;
    await first.apply('/contact/delete', { data: { contacts: [{ identity: gone }] } });
  }
  now = end;
  const names = ['Spring offers', 'Newsletter 12', 'Your order'];
  const data = names.flatMap((msg_name, message) =>
    people.flatMap((identity, index) => {
      const at = end - (message * 9 + 1) * day;
      const one = { identity, channel: message === 2 ? 'sms' : 'email', message_id: 100 + message, msg_name };
      const activity = (kind: string, minutes: number, more: object = {}) => ({
        ...one,
        activity: kind,
        occurred_at: new Date(at + index * 60_000 + minutes * 60_000).toISOString(),
        ...more,
      });
      return [
        activity('sent', 0),
        ...(index % 40 === 0 ? [activity('bounce', 1)] : [activity('delivered', 1)]),
        ...(index % 2 === 0 ? [activity('open', 300)] : []),
        ...(index % 7 === 0 ? [activity('click', 320, { link: `https://shop.example.com/${message}` })] : []),
        ...(index % 50 === 49 ? [activity('unsubscribe', 330)] : []),
      ];
    }),
  );
  const answer = await first.operator('POST', '/activities', { data });
  expect(answer.status).toBe(200);
  await first.apply('/contact/update', { data: { contacts: [{ identity: 'nobody@example.com' }] } });
  await console.service.settled();
  return names;
}

/** Stores a bulk change in which contacts failed, and one that runs. */
async function storeBulkChanges(): Promise<void> {
  const at = new Date(now);
  const stored = { account_id: 1, author: 'operator', selection: '{"by":"all"}', expected_count: 5, total: 5 };
  const actionOf = (action: object) => ({ ...stored, action: JSON.stringify(action), created_at: at, started_at: at });
  const id = (last: number) => `00000000-0000-7000-8000-00000000000${last}`;
  await console.service.context.db
    .insertInto('bulk_changes')
    .values([
      {
        ...actionOf({ type: 'add_to_list', audience_id: 1 }),
        bulk_change_id: id(1),
        status: 'completed',
        changed: 3,
        failed: 2,
        finished_at: at,
      },
      { ...actionOf({ type: 'opt_out', channels: ['sms'] }), bulk_change_id: id(2), status: 'running', changed: 2 },
    ])
    .execute();
}

/** Keeps pictures of the page (light, dark, phone) if `ROSTER_TEST_PICTURES` names a folder. */
async function pictures(page: Page, name: string): Promise<void> {
  const folder = process.env['ROSTER_TEST_PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const keep = (look: string) => page.screenshot({ path: `${folder}/${name}-${look}.png`, fullPage: true });
  await keep('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await keep('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 375, height: 800 });
  await keep('phone');
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('the home page shows contacts, reach, activity, what runs and what failed', async () => {
  await storeBulkChanges();
  const page = await console.signIn({ path: '/accounts/1' });
  const tile = (name: string) => page.getByRole('region', { name, exact: true });
  await tile('Contacts').waitFor();
  expect(await tile('Contacts').innerText()).toContain('234');
  await page
    .getByRole('img', { name: /^Contacts of each type/ })
    .locator('svg')
    .first()
    .waitFor();
  await page
    .getByRole('img', { name: /^Activities on each day/ })
    .locator('svg')
    .first()
    .waitFor();
  await pictures(page, 'home');
  await expectAccessible(page);

  await page.getByText('Changes', { exact: true }).click();
  await page.getByRole('img', { name: /^Contacts that were created/ }).waitFor();
  await page.getByRole('button', { name: 'Contacts by day: Show as a table' }).click();
  await page
    .getByRole('region', { name: /^Contacts that were created/ })
    .getByRole('columnheader', { name: 'Created' })
    .waitFor();

  await page.getByText('90 days', { exact: true }).click();
  await page.waitForURL('**/console/accounts/1?growth=changes&days=90');
  await page.reload();
  expect(await page.getByRole('radio', { name: '90 days' }).isChecked()).toBe(true);
  await page.getByRole('img', { name: /^Contacts that were created/ }).waitFor();

  const failures = page.getByRole('region', { name: 'Failed since yesterday' });
  await expect.poll(() => failures.innerText()).toMatch(/Requests\s*1/);
  expect(await failures.getByRole('link', { name: 'add to a list' }).getAttribute('href')).toMatch(
    /\/contacts\/bulk-changes\/0+/,
  );
  await page.getByRole('list', { name: 'Running now' }).getByRole('link', { name: 'Bulk change: opt out' }).waitFor();

  // A privacy officer cannot see failed requests, so the page does not say that nothing failed.
  const officer = await console.signIn({ role: 'privacy', path: '/accounts/1' });
  const seen = officer.getByRole('region', { name: 'Failed since yesterday' });
  await seen.getByRole('link', { name: 'add to a list' }).waitFor();
  expect(await seen.getByText('Update contacts').count()).toBe(0);
  await console.service.context.pool.query('delete from bulk_changes');
  await officer.reload();
  await seen.getByText('No failures in the last 24 hours of the kinds that your role shows: Bulk changes.').waitFor();
  await failures.getByRole('link', { name: 'Update contacts' }).click();
  await page.waitForURL('**/developers/requests/*');
});

test('the names, numbers and rates of messages are never cut off', async () => {
  for (const [width, locale] of [
    [1280, 'en-US'],
    [1440, 'de-DE'],
    [1920, 'de-DE'],
  ] as const) {
    const page = await console.signIn({ locale, width });
    await page.route(/\/statistics\/messages\b/, async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = (await response.json()) as { data: object[] };
      const many = { sent: 1_234_567, delivered: 1_234_567, open: 1_234_567, click: 98_765, bounce: 2_345 };
      await route.fulfill({ response, json: { ...rest, data: data.map((row) => ({ ...row, ...many })) } });
    });
    await page.goto('/console/accounts/1/activity');
    const cells = page.getByRole('grid').getByRole('gridcell');
    await cells.first().waitFor();
    const cut = await cells.evaluateAll((all) =>
      all
        .flatMap((cell) => [cell, ...cell.querySelectorAll('p')])
        .filter((part) => part.scrollWidth > part.clientWidth)
        .map((part) => part.textContent),
    );
    expect(cut, `${width} ${locale}`).toEqual([]);
  }
});

test('the activity page shows days, channels and messages, and the people of a message', async () => {
  const page = await console.signIn({ path: '/accounts/1/activity' });
  await page
    .getByRole('img', { name: /^Sending on each day/ })
    .locator('svg')
    .first()
    .waitFor();
  const table = page.getByRole('region', { name: 'By message' });
  for (const name of messages) await table.getByText(name).waitFor();
  await pictures(page, 'activity');
  await expectAccessible(page);

  await page.getByRole('button', { name: /^Newsletter 12: .* Clicks/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Newsletter 12' });
  await drawer.getByRole('link', { name: 'person231@example.com' }).waitFor();
  expect(page.url()).toContain('message=101&activity=click');
  // The mouse would colour the row below it.
  await page.mouse.move(0, 0);
  await pictures(page, 'activity-people');
  await expectAccessible(page);
  await page.reload();
  await drawer.getByRole('link', { name: 'person231@example.com' }).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });

  await page.getByText('Problems', { exact: true }).click();
  await page.waitForURL('**/activity?chart=problems');
  await page.reload();
  await page.getByRole('img', { name: /^Problems on each day/ }).waitFor();
  await page.goBack();
  await page.getByRole('img', { name: /^Sending on each day/ }).waitFor();

  await page.getByRole('button', { name: 'Show only SMS' }).click();
  await page.waitForURL('**/activity?channel=sms');
  await table.getByText('Your order').waitFor();
  await expect.poll(() => table.getByText('Newsletter 12').count()).toBe(0);
});
