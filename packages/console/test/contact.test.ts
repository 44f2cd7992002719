import { expect, test } from 'vitest';
import { forFile } from '../../server/test/support/for-file.ts';
import { record, recorded } from '../../server/test/activities/support.ts';
import { created } from '../../server/test/erasures/support.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';
import { loseAnswer } from './support/hold-requests.ts';
import { pressEnterOn, tabTo } from './support/keyboard.ts';

const web = await forFile(startConsole());
const { first } = web.service;
await first.v5('/client/attribute/create', {
  data: [
    { name: 'SCORE', data_type: 'number' },
    { name: 'VIP', data_type: 'boolean' },
    { name: 'SECRET', data_type: 'text', data_masking: 'full' },
    { name: 'NOTES', data_type: 'long_text' },
    { name: 'JOINED', data_type: 'datetime' },
  ],
});
await web.service.settled();
const lists = [];
for (const name of ['Newsletter', 'Gold members', 'Events in Pune']) {
  lists.push((await first.operator('POST', '/lists', { name })).body.audience_id);
}
await first.operator('POST', '/segments', {
  name: 'People in Pune',
  filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: 'Pune' }] }],
});
const contact = await created(first, {
  identity: 'lena.fischer@example.com',
  mobile: '491701234567',
  attributes: {
    FIRST_NAME: 'Lena',
    CITY: 'Pune',
    SCORE: 12.5,
    SECRET: 'treasure',
    NOTES: `<b>${'long '.repeat(2000)}`,
  },
  audience_details: [{ audience_id: [lists[0]] }],
});
await recorded(web.service, first, [
  ...(['sent', 'delivered', 'open', 'click'] as const).map((activity) =>
    record({ identity: 'lena.fischer@example.com', activity, msg_name: 'Monsoon sale', message_id: 81 }),
  ),
  record({ identity: 'lena.fischer@example.com', activity: 'unsubscribe', channel: 'sms', msg_name: 'Reminder' }),
]);

const path = () => `/accounts/1/contacts/${contact}`;

test('the page of a contact shows who it is and what happened, without a violation', async () => {
  const page = await web.signIn({ path: path() });
  await page.getByRole('heading', { name: 'lena.fischer@example.com', level: 1 }).waitFor();
  await page.getByRole('list', { name: 'Timeline' }).getByText('Clicked').waitFor();
  await page.getByText('Opted out: SMS').waitFor();
  await page.getByText('People in Pune').waitFor();
  await expectAccessible(page);

  await page.getByText('Changes', { exact: true }).click();
  await page.waitForURL(/show=changes/);
  await page.getByText('Contact created').waitFor();
  await page.getByText('Clicked').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('Contact created').waitFor();
});

test('a value is changed in place, and the timeline shows the request', async () => {
  const page = await web.signIn({ path: `${path()}?tab=attributes` });
  // Values are text, never HTML.
  await page.getByText('<b>long long', { exact: false }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('Find an attribute').fill('ci');
  await page.waitForURL(/find=ci/);
  await page.getByRole('button', { name: 'Edit CITY' }).click();
  await page.getByRole('textbox', { name: 'CITY' }).fill('Ulm');
  await expectAccessible(page);
  // A text has one line, so the Enter key saves it.
  await page.keyboard.press('Enter');
  await page.getByText('Ulm', { exact: true }).waitFor();
  await page.getByText('Matches no segment.').waitFor();

  await page.getByLabel('Find an attribute').fill('SCORE');
  await page.getByRole('button', { name: 'Edit SCORE' }).click();
  await page.getByRole('textbox', { name: 'SCORE' }).fill('many');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').filter({ hasText: 'number' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('link', { name: 'contact.update' }).first().waitFor();
  // The audit log knows who changed it.
  await page.getByText('by Asha Rao').first().waitFor();
  // It also knows what was changed. A tab without activities has it, too.
  await page.getByText('Updated: CITY').first().waitFor();
  await page.getByText('Changes', { exact: true }).click();
  await page.waitForURL(/show=changes/);
  await page.getByText('Updated: CITY').first().waitFor();
});

test('the page stays when the code of the palette, the tray or the messages cannot be loaded', async () => {
  const page = await web.signIn({ path: `${path()}?tab=attributes`, failsRequests: true, emptyCache: true });
  const parts = /\/(palette|progress-tray|messages)-[^/]*\.js$/;
  await page.route(parts, (route) => route.abort('internetdisconnected'));
  const failed = (name: string) => page.waitForEvent('requestfailed', (request) => request.url().includes(`/${name}-`));
  await Promise.all([failed('palette'), failed('progress-tray'), page.reload()]);

  await pressEnterOn(page, page.getByRole('button', { name: 'Edit FIRST_NAME' }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Leela');
  await page.keyboard.press('Enter');
  // The message is there without its code.
  const message = page.getByRole('alert').filter({ hasText: 'FIRST_NAME is saved' });
  await pressEnterOn(page, message.getByRole('button', { name: 'Undo' }));
  await message.getByText('Before: Leela').waitFor();
  await message.getByRole('button', { name: 'Close' }).click();
  await message.waitFor({ state: 'detached' });
});

test('a saved value can be undone, with the keyboard alone', async () => {
  const page = await web.signIn({ path: `${path()}?tab=attributes` });
  const row = page.getByText('FIRST_NAME', { exact: true }).locator('xpath=../..');
  async function save(text: string): Promise<void> {
    await pressEnterOn(page, page.getByRole('button', { name: 'Edit FIRST_NAME' }));
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await row.getByText(text, { exact: true }).waitFor();
  }
  await save('Leena');
  const message = page.getByRole('alert').filter({ hasText: 'FIRST_NAME is saved' });
  await message.getByText('Before: Lena').waitFor();
  await expectAccessible(page);
  await pressEnterOn(page, message.getByRole('button', { name: 'Undo' }));
  await row.getByText('Lena', { exact: true }).waitFor();
  const edit = page.getByRole('button', { name: 'Edit FIRST_NAME' });
  expect(await edit.evaluate((element) => element === document.activeElement)).toBe(true);
  // Undoing is a change, too.
  await message.getByText('Before: Leena').waitFor();

  // The message belongs to the page.
  await page.getByRole('link', { name: 'Audiences' }).click();
  await page.getByRole('heading', { name: 'Audiences' }).waitFor();
  await message.waitFor({ state: 'detached' });
});

test('a value that is masked cannot be undone, because nobody sees it', async () => {
  const page = await web.signIn({ role: 'editor', path: `${path()}?tab=attributes&find=SECRET` });
  await page.getByRole('button', { name: 'Edit SECRET' }).click();
  await page.getByRole('textbox', { name: 'SECRET' }).fill('treasury');
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page.getByRole('button', { name: 'Save' }).click();
  expect((await saved).status()).toBe(200);
  await page.getByRole('textbox', { name: 'SECRET' }).waitFor({ state: 'detached' });
  expect(await page.getByText('SECRET is saved').count()).toBe(0);
});

test('the timeline counts the contacts of a request apart from the contact', async () => {
  const { first } = web.service;
  const id = await created(first, { identity: 'amir@example.com' });
  const contacts = ['amir@example.com', 'nobody@example.com'].map((identity) => ({
    identity,
    attributes: { CITY: 'Goa' },
  }));
  await first.apply('/contact/update', { data: { contacts } });
  const page = await web.signIn({ path: `/accounts/1/contacts/${id}` });
  await page.getByText('one of 2 contacts in the request · 1 of them failed').waitFor();
});

test('a number is shown and changed in the language of the console', async () => {
  const id = await created(web.service.first, { identity: 'number@example.com', attributes: { SCORE: 1200.89 } });
  const german = await web.signIn({ path: `/accounts/1/contacts/${id}?tab=attributes&find=SCORE`, locale: 'de-DE' });
  const valueOf = async () =>
    (await web.service.first.operator('GET', `/contacts/${id}`)).body.attributes.find(
      ({ name }: { name: string }) => name === 'SCORE',
    ).value;
  await german.getByText('1.200,89', { exact: true }).waitFor();
  for (const [text, value, shown] of [
    ['1.234', 1234, '1.234'],
    ['1.234,50', 1234.5, '1.234,5'],
    ['-0,25', -0.25, '-0,25'],
  ] as const) {
    await german.getByRole('button', { name: 'SCORE bearbeiten' }).click();
    await german.getByRole('textbox', { name: 'SCORE' }).fill(text);
    await german.getByRole('button', { name: 'Speichern' }).click();
    await german.getByText(shown, { exact: true }).waitFor();
    expect(await valueOf()).toBe(value);
  }
  const english = await web.signIn({ path: `/accounts/1/contacts/${id}?tab=attributes&find=SCORE` });
  await english.getByRole('button', { name: 'Edit SCORE' }).click();
  await english.getByRole('textbox', { name: 'SCORE' }).fill('1,234');
  await english.keyboard.press('Enter');
  await english.getByText('1,234', { exact: true }).waitFor();
  expect(await valueOf()).toBe(1234);
});

test('a moment is changed with a calendar on the clock of the account, and keeps its milliseconds until then', async () => {
  const { first } = web.service;
  const joined = '2026-06-12T16:13:19.046Z';
  const id = await created(first, { identity: 'joined@example.com', attributes: { JOINED: joined } });
  const timeZone = (await first.operator('GET', '')).body.time_zone as string;
  const page = await web.signIn({ path: `/accounts/1/contacts/${id}?tab=attributes&find=JOINED`, locale: 'de-DE' });
  const valueOf = async () =>
    (await first.operator('GET', `/contacts/${id}`)).body.attributes.find(
      ({ name }: { name: string }) => name === 'JOINED',
    ).value;
  const edit = () => page.getByRole('button', { name: 'JOINED bearbeiten' }).click();
  const save = () => page.getByRole('button', { name: 'Speichern' }).click();
  await edit();
  await page.getByRole('button', { name: /^JOINED: 1\d\.06\.2026, \d\d:\d\d:19$/ }).waitFor();
  await save();
  await page.getByRole('button', { name: 'JOINED bearbeiten' }).waitFor();
  expect(new Date(await valueOf()).toISOString()).toBe(joined);

  await edit();
  await page.getByRole('button', { name: /^JOINED: / }).click();
  const calendar = page.getByRole('dialog', { name: /^JOINED/ });
  await calendar.getByRole('button', { name: 'Zeitpunkt übernehmen' }).waitFor();
  await expectAccessible(page, 'colours');
  await calendar.getByRole('button', { name: /^20 / }).click();
  await calendar.getByRole('spinbutton', { name: 'Stunden' }).pressSequentially('09');
  await calendar.getByRole('spinbutton', { name: 'Minuten' }).pressSequentially('30');
  await calendar.getByRole('spinbutton', { name: 'Sekunden' }).pressSequentially('00');
  await calendar.getByRole('button', { name: 'Zeitpunkt übernehmen' }).click();
  await page.getByRole('button', { name: 'JOINED: 20.06.2026, 09:30:00' }).waitFor();
  await save();
  await page.getByText('20.06.2026, 09:30', { exact: true }).waitFor();
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  expect(clock.format(new Date(await valueOf()))).toBe('2026-06-20 09:30:00');
});

test('of two people who change the same value, the second chooses between both', async () => {
  const id = await created(web.service.first, { identity: 'both@example.com', attributes: { CITY: 'Bonn' } });
  const page = await web.signIn({ path: `/accounts/1/contacts/${id}?tab=attributes&find=CITY` });
  const change = (attributes: object) => web.service.first.operator('PATCH', `/contacts/${id}`, { attributes });
  const save = async (city: string) => {
    await page.getByRole('button', { name: 'Edit CITY' }).click();
    await page.getByRole('textbox', { name: 'CITY' }).fill(city);
    await page.getByRole('button', { name: 'Save' }).click();
  };
  await page.getByText('Bonn', { exact: true }).waitFor();
  // Another field: both changes are kept.
  await change({ FIRST_NAME: 'Asha' });
  await save('Ulm');
  await page.getByText('both changes are kept').waitFor();
  // The same field.
  await change({ CITY: 'Pune' });
  await save('Köln');
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed this too' });
  await dialog.getByText('Pune').waitFor();
  await dialog.getByText('Köln').waitFor();
  await dialog.getByRole('button', { name: 'Use mine' }).click();
  await page.getByRole('button', { name: 'Edit CITY' }).waitFor();
  await page.getByText('Köln', { exact: true }).waitFor();
  const { attributes } = (await web.service.first.operator('GET', `/contacts/${id}`)).body;
  expect(attributes).toContainEqual(expect.objectContaining({ name: 'CITY', value: 'Köln' }));
  expect(attributes).toContainEqual(expect.objectContaining({ name: 'FIRST_NAME', value: 'Asha' }));
});

test('a viewer can read but not change, and sees masked values masked', async () => {
  const page = await web.signIn({ role: 'viewer', path: `${path()}?tab=attributes&find=SECRET` });
  await page.getByText('****').waitFor();
  expect(await page.getByRole('button', { name: /^Edit / }).count()).toBe(0);
  expect(await page.getByText('treasure').count()).toBe(0);
  await page.getByRole('heading', { name: 'Channels' }).waitFor();
  expect(await page.getByRole('switch', { name: 'SMS' }).isDisabled()).toBe(true);
});

test('a contact is added to a list, and blocked', async () => {
  const id = await created(web.service.first, { identity: 'blocked@example.com' });
  const page = await web.signIn({ path: `/accounts/1/contacts/${id}` });
  await page.getByPlaceholder('Add to a list').click();
  await page.getByRole('option', { name: 'Gold members' }).click();
  await page.getByRole('button', { name: 'Remove from Gold members' }).waitFor();
  await page.getByText('No number').first().waitFor();
  const mail = page.getByRole('switch', { name: 'E-mail' });
  // It is disabled until the list is saved.
  await expect.poll(() => mail.isEnabled()).toBe(true);
  await mail.press('Space');
  const optOut = page.getByRole('dialog', { name: 'Opt out of e-mail?' });
  await optOut.getByText('The contact becomes “Blacklisted”.').waitFor();
  await expectAccessible(page);
  await optOut.getByRole('button', { name: 'Opt out' }).click();
  await page.getByText('Blacklisted', { exact: true }).first().waitFor();
  await page.getByText('Not while blacklisted').first().waitFor();
  await optOut.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Unblock' }).click();
  await page.getByText('The contact is unblocked.').waitFor();
  await mail.press('Space');
  const optIn = page.getByRole('dialog', { name: 'Opt in to e-mail again?' });
  await optIn.getByText('Do this only if the person asked for it.').waitFor();
  expect(await mail.isChecked()).toBe(false);
  await optIn.getByRole('button', { name: 'Opt in again' }).click();
  await expect.poll(() => mail.isChecked()).toBe(true);

  // A privacy officer may not read requests, so the page has no links to them.
  const officer = await web.signIn({ role: 'privacy', path: `/accounts/1/contacts/${id}` });
  await officer.getByText('contact.block').or(officer.getByText('contact.unblock')).first().waitFor();
  await officer
    .getByText('by Asha Rao')
    .or(officer.getByText(/by Person \d+/))
    .first()
    .waitFor();
  expect(await officer.locator('a[href*="/developers/requests/"]').count()).toBe(0);
  await officer.getByRole('link', { name: 'Gold members' }).click();
  await officer.getByRole('heading', { name: 'Gold members', level: 1 }).waitFor();
});

test('a person is found, changed, seen in the timeline and erased with the keyboard alone', async () => {
  const id = await created(web.service.first, { identity: 'leaves@example.com', attributes: { CITY: 'Bonn' } });
  const page = await web.signIn({ path: '/accounts/1' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+K');
  await page.getByRole('textbox', { name: 'Search' }).waitFor();
  await page.keyboard.type('leaves@');
  await page.getByRole('button', { name: /leaves@example\.com/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/contacts/${id}`));

  await tabTo(page, page.getByRole('tab', { name: 'Timeline' }));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Find an attribute'));
  await page.keyboard.type('CITY');
  await pressEnterOn(page, page.getByRole('button', { name: 'Edit CITY' }));
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'CITY');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Ulm');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Ulm', { exact: true }).waitFor();
  await tabTo(page, page.getByRole('tab', { name: 'Attributes' }));
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'contact.update' }).first().waitFor();

  await pressEnterOn(page, page.getByRole('button', { name: 'More actions' }));
  await page.waitForFunction(() => document.activeElement?.closest('[role=menu]') !== null);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const erase = page.getByRole('dialog').getByRole('button', { name: 'Erase this person' });
  await erase.waitFor();
  expect(await erase.isDisabled()).toBe(true);
  await page.waitForFunction(() => document.activeElement?.matches('[role=dialog] input'));
  const other = await page.context().newPage();
  await other.goto(`/console/accounts/1/contacts/${id}`);
  await other.getByRole('button', { name: 'More actions' }).click();
  await page.keyboard.type('leaves@example.com');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/contacts$/);
  expect((await web.service.first.operator('GET', `/contacts/${id}`)).status).toBe(404);

  // Another tab does not go on showing the person.
  await other.getByRole('menuitem', { name: 'Export everything about this person' }).click();
  await other.getByText(`There is no contact ${id} in account 1`).waitFor();
  await other.getByRole('heading', { name: 'Not found' }).waitFor();
  await other.getByRole('heading', { name: `Contact ${id}`, level: 1 }).waitFor();
  expect(await other.getByText('leaves@example.com').count()).toBe(0);

  await page.getByRole('link', { name: 'Show the erasure' }).click();
  await page.waitForURL(/\/privacy\/erasures\?erasure=/);
  const proof = page.getByRole('dialog', { name: 'Erasure' });
  await proof.getByText('No stored file of an export contains the person.').waitFor();
  await expectAccessible(page);
  await page.goBack();
  await page.waitForURL(/\/contacts$/);
  await page.goForward();
  await proof.getByRole('link', { name: 'Show it in the audit log' }).click();
  await page
    .getByRole('gridcell', { name: `contact:${id}` })
    .first()
    .waitFor();
});

test('an erasure whose answer was lost leads to the list of erasures', async () => {
  const id = await created(web.service.first, { identity: 'lost@example.com' });
  const page = await web.signIn({ path: `/accounts/1/contacts/${id}`, failsRequests: true });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Erase this person' }).click();
  await loseAnswer(page, `**/contacts/${id}?mode=erase`);
  await page.getByRole('dialog').getByRole('textbox').fill('lost@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Erase this person' }).click();
  await page.getByText(`Contact ${id} is not there any more`).waitFor();
  await page.getByRole('link', { name: 'Show the erasure' }).click();
  await page.getByRole('gridcell', { name: String(id), exact: true }).click();
  await page.getByRole('dialog', { name: 'Erasure' }).getByText('Erasure id').waitFor();
});

test('a contact that does not exist is not found', async () => {
  const page = await web.signIn({ path: '/accounts/1/contacts/99999' });
  await page.getByRole('alert').filter({ hasText: 'Not found' }).waitFor();
  await expectAccessible(page);
});

test('the page of a contact says the name of the person below the address', async () => {
  const page = await web.signIn({ path: path() });
  await page.locator('main header').getByText('Lena', { exact: true }).waitFor();
});

test('on a phone, the details, the timeline and the attributes of a contact are one tab each', async () => {
  const page = await web.signIn({ path: path(), width: 390, locale: 'de-DE' });
  const tab = (name: string) => page.getByRole('tab', { name });
  await page.getByRole('button', { name: 'E-Mail bearbeiten' }).waitFor();
  expect(await tab('Angaben').getAttribute('aria-selected')).toBe('true');
  await tab('Attribute').click();
  await page.getByRole('button', { name: 'CITY bearbeiten' }).waitFor();
  const first = await page.getByRole('button', { name: 'FIRST_NAME bearbeiten' }).boundingBox();
  expect(first!.y).toBeLessThan(800);
  await tab('Verlauf').click();
  await page.waitForURL(/tab=timeline/);
  await page.reload();
  await page.getByRole('list', { name: 'Verlauf' }).waitFor();
  await expectAccessible(page);
});
