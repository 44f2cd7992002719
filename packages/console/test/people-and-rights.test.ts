import { operations } from '@roster/client';
import { generate } from 'otplib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { forFile } from '../../server/test/support/for-file.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';
import { openRow, pressEnterOn, typeInto } from './support/keyboard.ts';
import { addMember, owner } from './support/people.ts';
import { answerQuestions } from './support/requests.ts';

const web = await forFile(startConsole());

test('a person sets up an authenticator app, keeps the recovery codes, and removes the app', async () => {
  const page = await web.signIn({ path: '/accounts/1/audiences' });
  await page.getByRole('button', { name: owner.name }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  const section = page.getByRole('region', { name: 'Authenticator app' });
  await section.getByRole('button', { name: 'Set up an app' }).click();
  await section.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const secret = /[A-Z2-7]{32}/.exec(await section.innerText())![0];

  await section.getByLabel('Code').fill('000000');
  await section.getByRole('button', { name: 'Turn on' }).click();
  await section.getByRole('alert').waitFor();
  await section.getByLabel('Code').fill(await generate({ secret }));
  await section.getByRole('button', { name: 'Turn on' }).click();

  await section.getByText('Keep your recovery codes').waitFor();
  expect((await section.innerText()).match(/^[2-9a-z]{4}(-[2-9a-z]{4}){3}$/gm)).toHaveLength(10);
  await expectAccessible(page);
  const questions = answerQuestions(page, ['dismiss']);
  await page.evaluate(() => history.back());
  await expect.poll(() => questions).toEqual(['Leave this page? What it shows now is never shown again.']);
  await section.getByRole('button', { name: 'Close' }).click();
  await section.getByText('Keep your recovery codes').waitFor({ state: 'detached' });

  await section.getByRole('button', { name: 'Remove the app' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the app' }).click();
  await section.getByText('Off').waitFor();
});

test('an old sign-in asks for the password before a token is created, and shows the token once', async () => {
  const page = await web.signIn({ path: '/profile' });
  await web.service.context.pool.query(`update sessions set authenticated_at = authenticated_at - interval '1 hour'`);
  const section = page.getByRole('region', { name: 'Personal access tokens' });
  await section.getByLabel('Name').fill('Reports');
  await section.getByRole('button', { name: 'Create a token' }).click();

  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await dialog.getByLabel('Your password').fill('a wrong password');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Your password').fill(owner.password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();

  await section.getByText('Copy it now. It is shown only once.').waitFor();
  const token = /rp_[\w-]{43}/.exec(await section.innerText())![0];
  const answer = await web.service.call('GET', '/admin/v1/me', { headers: { authorization: `Bearer ${token}` } });
  expect(answer.body.email).toBe(owner.email);

  await section.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await section.getByRole('table').waitFor({ state: 'detached' });
});

test('a person ends the other sessions, and changes the name and the language', async () => {
  const other = await web.signIn();
  const page = await web.signIn({ path: '/profile' });
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await sessions.getByText('This session').waitFor();
  await sessions.getByRole('button', { name: 'End all others' }).click();
  await expect.poll(() => sessions.getByRole('row').count()).toBe(2);
  await other.reload();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();

  await page.getByRole('region', { name: 'You' }).getByLabel('Name').fill('Asha R.');
  await page.getByRole('region', { name: 'You' }).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Asha R.' }).waitFor();
});

test('German pages have German reasons of the service', async () => {
  const page = await web.signIn({ path: '/accounts/1/settings/members', locale: 'de-DE' });
  await page.getByRole('button', { name: 'Person einladen' }).click();
  const dialog = page.getByRole('dialog', { name: 'Person einladen' });
  await dialog.getByLabel('E-Mail-Adresse').fill('asha@example.com');
  await dialog.locator('button[type=submit]').click();
  await dialog.getByText('Ein Mitglied des Kontos hat diese Adresse schon.').waitFor();

  await page.goto('/console/accounts/1/exports/new?filter={}');
  await page.getByLabel('Diese URL aufrufen').fill('http://hooks.example.com/roster');
  await page.getByRole('button', { name: 'Export starten' }).click();
  // Once, at its field.
  await page.getByText(/^muss mit https:\/\/ beginnen\. Ein Operator kann/).waitFor();
  expect(await page.getByText('must begin with').count()).toBe(0);
  expect(await page.getByText(/muss mit https/).count()).toBe(1);
});

test('an owner invites a viewer with the keyboard alone, and the viewer can change nothing', async () => {
  const { first } = web.service;
  await first.v5('/client/attribute/create', {
    data: [{ name: 'SECRET', data_type: 'text', data_masking: 'full' }],
  });
  await first.apply('/contact/create', {
    data: {
      contact_type: 'identified',
      contacts: [{ identity: 'mia@example.com', email: 'mia@example.com', attributes: { SECRET: 'treasure' } }],
    },
  });
  const owners = await web.signIn({ path: '/accounts/1/settings/members' });
  await owners.getByText('No open invitations.').waitFor();
  await expectAccessible(owners);
  await pressEnterOn(owners, owners.getByRole('button', { name: 'Invite a person' }));
  const dialog = owners.getByRole('dialog', { name: 'Invite a person' });
  await typeInto(owners, dialog.getByLabel('E-mail address'), 'lena@example.com');
  const viewer = dialog.getByRole('radio', { name: 'Viewer' });
  await owners.keyboard.press('Tab');
  for (let times = 0; times < 6 && !(await viewer.isChecked()); times++) await owners.keyboard.press('ArrowDown');
  await pressEnterOn(owners, dialog.getByRole('button', { name: 'Invite', exact: true }));
  const link = /http\S+#token=[\w-]{43}/.exec(await dialog.locator('pre').innerText())![0];
  await pressEnterOn(owners, dialog.getByRole('button', { name: 'Close' }).last());
  await owners.getByRole('table', { name: 'Invitations' }).getByText('lena@example.com').waitFor();

  const page = await web.open();
  await page.goto(link.slice(link.indexOf('/console/')));
  await page.getByRole('heading', { name: /First account/ }).waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await expectAccessible(page);
  await typeInto(page, page.getByLabel('Your name'), 'Lena Weber');
  await typeInto(page, page.getByLabel('Password', { exact: true }), owner.password);
  await pressEnterOn(page, page.getByRole('button', { name: 'Join' }));
  await page.waitForURL('**/console/accounts/1');

  await pressEnterOn(page, page.getByRole('link', { name: 'Contacts' }));
  await openRow(page, page.getByRole('row').filter({ hasText: 'mia@example.com' }));
  await page.getByRole('tab', { name: 'Attributes' }).click();
  await page.getByText('****').first().waitFor();
  expect(await page.content()).not.toContain('treasure');
  expect(await page.getByRole('button', { name: /^Edit / }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Privacy' }).count()).toBe(0);
  const contact = page.url();
  for (const path of ['settings/members', 'settings/single-sign-on', 'privacy/person-exports', 'exports/new']) {
    await page.goto(`/console/accounts/1/${path}`);
    await page.getByRole('alert').filter({ hasText: 'You may not see this' }).waitFor();
  }
  await page.goto('/console/accounts/1/settings');
  await page.getByText('Your role lets you see these settings, but not change them.').waitFor();
  await page.goto(contact);
  // What the page does not offer, the service refuses.
  expect(await refusals(page)).toEqual([]);

  await owners.reload();
  const row = owners.getByRole('row', { name: /Lena Weber/ });
  await row.getByRole('combobox', { name: 'Role of Lena Weber' }).click();
  await owners.getByRole('option', { name: 'Editor' }).click();
  // The role changes in the open page of the other person, without a new sign-in.
  await page.reload();
  await page.getByRole('tab', { name: 'Attributes' }).click();
  await page.getByRole('button', { name: 'Edit CITY' }).waitFor();
  await row.getByRole('button', { name: 'Remove' }).click();
  await owners.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row.waitFor({ state: 'detached' });
  await page.goto('/console/accounts/1');
  await page.getByText('This page does not exist').waitFor();
  await page.getByRole('link', { name: 'To my accounts' }).click();
  await page.getByText('You have no account yet').waitFor();
}, 120_000);

/** Sends the changing operations from a page. Returns those that are not refused with 403. */
async function refusals(page: Page): Promise<string[]> {
  const changing = Object.entries(operations).filter(
    ([, { method, path }]) => method !== 'GET' && path.startsWith('/admin/v1/accounts/{account_id}/'),
  );
  expect(changing.length).toBeGreaterThan(30);
  const calls = changing.map(([id, { method, path }]) => {
    const missing = '01890a5d-ac96-774b-bcce-b302099a8057';
    const url = path
      .replace('{account_id}', '1')
      .replaceAll(/\{\w+\}/g, (name) =>
        /(request|import|mail|delivery|bulk_change|schedule|view)_id/.test(name) ? missing : '1',
      );
    return { id, method, url };
  });
  const statuses = await page.evaluate(
    async (all) =>
      await Promise.all(
        all.map(async ({ id, method, url }) => {
          const headers = method === 'DELETE' ? {} : { 'content-type': 'application/json' };
          const response = await fetch(url, { method, headers, ...(method === 'DELETE' ? {} : { body: '{}' }) });
          return [id, response.status] as const;
        }),
      ),
    calls,
  );
  const ownViews = new Set(['createSavedView', 'updateSavedView', 'deleteSavedView']);
  return statuses.filter(([id, status]) => status !== 403 && !ownViews.has(id)).map((one) => one.join(' '));
}

test('an administrator finds a user, ends the sessions, makes a link for a password, and deletes the user', async () => {
  const page = await web.signIn();
  const mia = await addMember(web.service.context, 'viewer', false);
  const other = await web.open();
  await other.goto('/console/sign-in');
  await other.getByLabel('E-mail address').fill(mia.email);
  await other.getByLabel('Password', { exact: true }).fill(mia.password);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.waitForURL('**/console/accounts/1');

  await page.getByRole('button', { name: 'Asha' }).click();
  await page.getByRole('menuitem', { name: 'Users' }).click();
  await page.getByRole('heading', { name: 'Users' }).waitFor();
  await page.getByRole('textbox', { name: 'Find by name or address' }).fill(mia.email.toUpperCase());
  await page.waitForURL(/contains=VIEWER/);
  await expectAccessible(page);
  await page.getByRole('gridcell', { name: mia.email }).click();
  const drawer = page.getByRole('dialog').filter({ hasText: 'Manage the user' });
  await drawer.waitFor();
  // The address opens the user, also if the text of the search does not match.
  const { search } = new URL(page.url());
  await page.goto(`/console/users${search.replace(/contains=[^&]*/, 'contains=Asha')}`);
  await drawer.getByText(mia.email).waitFor();
  await page.goBack();
  await drawer.waitFor();
  await drawer.getByRole('button', { name: 'End all sessions' }).click();
  await page
    .getByRole('dialog', { name: /^End all sessions/ })
    .getByRole('button', { name: 'End all sessions' })
    .click();
  await drawer.getByRole('button', { name: 'End all sessions' }).waitFor({ state: 'detached' });
  await expectAccessible(page);
  await other.reload();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();

  await web.service.context.pool.query(`update sessions set authenticated_at = now() - interval '1 hour'`);
  await drawer.getByRole('button', { name: 'Make a link for a new password' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await question.getByLabel('Your password').fill(owner.password);
  await question.getByRole('button', { name: 'Confirm' }).click();
  const link = /#token=[\w-]{43}/.exec(await drawer.locator('pre').innerText())![0];
  await other.goto(`/console/new-password${link}`);
  await other.getByLabel('New password', { exact: true }).fill('a new and longer password');
  await other
    .getByRole('button', { name: /password/i })
    .last()
    .click();
  await other
    .getByText(/sign in/i)
    .first()
    .waitFor();

  await drawer.getByRole('button', { name: 'Delete the user' }).click();
  const last = page.getByRole('dialog', { name: /^Delete / });
  await last.getByRole('textbox').fill(mia.email);
  await last.getByRole('button', { name: 'Delete the user' }).click();
  await page.getByText('Nobody found').waitFor();
});

test('a person adds a passkey, and signs in with it', async () => {
  const page = await web.signIn({ path: '/profile', host: 'localhost' });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  const section = page.getByRole('region', { name: 'Passkeys' });
  await section.getByLabel('Name').fill('Laptop');
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await section.getByRole('cell', { name: 'Laptop' }).waitFor();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Asha' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL('**/console/accounts/1');
  await page.goto('/console/profile');
  await section.getByRole('cell', { name: 'Laptop' }).waitFor();
  await page.getByRole('region', { name: 'Sessions' }).getByText('Passkey').first().waitFor();
  await section.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await section.getByRole('table').waitFor({ state: 'detached' });
});

test('two people who change the account keep both changes, or choose for each field', async () => {
  const page = await web.signIn({ path: '/accounts/1/settings/account' });
  const change = (body: object) => web.service.first.operator('PATCH', '', body);
  const save = () => page.getByRole('button', { name: 'Save' }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Acme India');
  await change({ time_zone: 'Asia/Kolkata' });
  await save();
  await page.getByText('both changes are kept').waitFor();
  expect((await web.service.first.operator('GET', '')).body).toMatchObject({
    name: 'Acme India',
    time_zone: 'Asia/Kolkata',
  });

  // Browsers list only the former names of some time zones.
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await zone.fill('no such zone');
  await page.getByText('No time zone has this name').waitFor();
  await zone.fill('kyiv');
  await page.getByRole('option', { name: 'Europe/Kyiv' }).click();
  const question = page.waitForEvent('dialog');
  const left = page.getByRole('link', { name: 'Privacy' }).click();
  const dialogOfLeaving = await question;
  expect(dialogOfLeaving.message()).toBe('Leave this page? Your changes are not saved.');
  await dialogOfLeaving.dismiss();
  await left;
  await save();
  await expect.poll(async () => (await web.service.first.operator('GET', '')).body.time_zone).toBe('Europe/Kyiv');

  await page.getByRole('switch', { name: 'Record events' }).click();
  await page.getByRole('textbox', { name: 'Days for which events are kept' }).fill('30');
  await save();
  await expect
    .poll(async () => (await web.service.first.operator('GET', '')).body.settings)
    .toMatchObject({ events: true, event_retention_days: 30 });

  await name.fill('Mine');
  await page.getByRole('switch', { name: /formula/i }).click();
  await change({ name: 'Theirs', settings: { daily_batch_limit: 7 } });
  await page.getByRole('textbox', { name: /batch/i }).fill('9');
  await save();
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed this too' });
  await dialog.getByRole('radio', { name: 'Name: Their value' }).click();
  await expectAccessible(page);
  expect(await dialog.getByRole('button', { name: 'Save my choice' }).isDisabled()).toBe(true);
  await dialog
    .getByRole('radio', { name: /Your value/ })
    .last()
    .click();
  await dialog.getByRole('button', { name: 'Save my choice' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect
    .poll(async () => (await web.service.first.operator('GET', '')).body)
    .toMatchObject({ name: 'Theirs', settings: { daily_batch_limit: 9 } });
  await expect.poll(() => name.inputValue()).toBe('Theirs');

  await page.getByRole('link', { name: 'Privacy' }).click();
  await page.getByRole('link', { name: 'Retention' }).click();
  await page.getByLabel('Months for which activities are kept').fill('30');
  await change({ settings: { reject_forgotten_contacts: false } });
  await save();
  await expect
    .poll(async () => (await web.service.first.operator('GET', '')).body.settings)
    .toMatchObject({ activity_retention_months: 30, reject_forgotten_contacts: false });

  await page.goto('/console/accounts/1/settings/audit-log');
  const author = page.getByRole('combobox', { name: 'Author' });
  await author.click();
  await page.getByRole('option', { name: 'Operator token' }).waitFor();
  await author.fill('asha');
  await page.getByRole('option', { name: 'Operator token' }).waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Search' }).last().click();
  await page.waitForURL(/audit-log\?actor=user%3A\d+$/);
  await page
    .getByRole('row', { name: /Account changed/ })
    .first()
    .waitFor();
  await expect.poll(() => page.getByRole('row', { name: /Operator token/ }).count()).toBe(0);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Clear' }).click();
  const action = page.getByRole('combobox', { name: 'Action' });
  await action.fill('member');
  await page.getByRole('option', { name: 'Members: everything' }).waitFor();
  await action.fill('account cha');
  await page.getByRole('option', { name: 'Account changed' }).click();
  await page.getByRole('button', { name: 'Search' }).last().click();
  await page.waitForURL(/audit-log\?action=account\.update$/);
  await expect.poll(() => page.getByRole('row', { name: /Member added/ }).count()).toBe(0);
  await page
    .getByRole('row', { name: /Batch adds a day/ })
    .first()
    .click();
  const entry = page.getByRole('dialog', { name: 'Entry of the audit log' });
  await entry.getByRole('cell', { name: 'Batch adds a day' }).waitFor();
  await entry.getByText('account.update').waitFor();
  await expectAccessible(page);
});

test('the details of the audit log are in the language of the page, also the values', async () => {
  await web.service.first.operator('POST', '/invitations', { email: 'noor@example.com', role: 'viewer' });
  const page = await web.signIn({ path: '/accounts/1/settings/audit-log?action=invitation.create', locale: 'de-DE' });
  await page
    .getByRole('row', { name: /Rolle Betrachter · Sieht unmaskierte Werte Nein/ })
    .first()
    .click();
  const entry = page.getByRole('dialog');
  await entry.getByRole('cell', { name: 'Betrachter' }).waitFor();
  // As JSON, it has the word of the API.
  await entry.getByText('"role": "viewer"').waitFor();
});

test('an emptied number of the settings stays empty and is refused, and a lower one asks before data is deleted', async () => {
  const stored = async () => (await web.service.first.operator('GET', '')).body.settings;
  const settings = { activity_retention_months: 30, event_retention_days: 30, daily_batch_limit: 9 };
  await web.service.first.operator('PATCH', '', { settings });
  const page = await web.signIn({ path: '/accounts/1/privacy/retention' });
  const save = page.getByRole('button', { name: 'Save' });
  const months = page.getByLabel('Months for which activities are kept');
  await months.fill('');
  await save.click();
  await page.getByText('Enter a whole number from 1 to 600.').waitFor();
  await months.blur();
  expect(await months.inputValue()).toBe('');
  await expectAccessible(page);
  await months.fill('601');
  await save.click();
  await page.getByText('Enter a whole number from 1 to 600.').waitFor();
  expect(await months.inputValue()).toBe('601');

  await months.fill('2');
  await save.click();
  const dialog = page.getByRole('dialog', { name: 'Delete older activities for ever?' });
  const now = new Date();
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 1));
  const day = first.toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
  await dialog.getByText(`With 2, all activities before ${day} are deleted for ever`).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await stored()).toMatchObject(settings);
  await save.click();
  await dialog.getByRole('button', { name: 'Delete older activities' }).click();
  await page.getByText('Saved').waitFor();
  expect(await stored()).toMatchObject({ ...settings, activity_retention_months: 2 });
  // A larger number deletes nothing.
  await months.fill('30');
  await save.click();
  await expect.poll(stored).toMatchObject(settings);

  const german = await web.signIn({ path: '/accounts/1/settings/account', locale: 'de-DE' });
  const days = german.getByLabel('Tage, für die Ereignisse aufbewahrt werden');
  const batches = german.getByLabel('Stapel je Tag');
  const saveGerman = german.getByRole('button', { name: 'Speichern' });
  await days.fill('');
  await saveGerman.click();
  await german.getByText('Geben Sie eine ganze Zahl von 1 bis 90 ein.').waitFor();
  await days.fill('30');
  await batches.fill('');
  await saveGerman.click();
  await german.getByText('Geben Sie eine ganze Zahl von 0 bis 100.000.000 ein.').waitFor();
  expect(await stored()).toMatchObject(settings);
  await batches.fill('1000');
  await days.fill('3');
  await saveGerman.click();
  const question = german.getByRole('dialog', { name: 'Ältere Ereignisse für immer löschen?' });
  await question.getByText('Bisher wurden Ereignisse 30 Tage lang aufbewahrt.').waitFor();
  await expectAccessible(german);
  expect(await stored()).toMatchObject(settings);
  await question.getByRole('button', { name: 'Ältere Ereignisse löschen' }).click();
  await expect
    .poll(stored)
    .toMatchObject({ activity_retention_months: 30, event_retention_days: 3, daily_batch_limit: 1000 });
});

test('an owner is asked before another owner is made, and before the own role changes', async () => {
  const page = await web.signIn();
  const { email } = await addMember(web.service.context, 'viewer', false);
  await page.goto('/console/accounts/1/settings/members');
  const role = page.getByRole('row').filter({ hasText: email }).getByRole('combobox');
  await role.click();
  await page.getByRole('option', { name: 'Owner' }).click();
  const question = page.getByRole('dialog', { name: /^Change the role of Member \d+ to Owner\?$/ });
  await question.waitFor();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await role.inputValue()).toBe('Viewer');
  await role.click();
  await page.getByRole('option', { name: 'Owner' }).click();
  await question.getByRole('button', { name: 'Change the role' }).click();
  await question.waitFor({ state: 'detached' });
  await expect.poll(() => role.inputValue()).toBe('Owner');
  await page.getByRole('row').filter({ hasText: owner.email }).getByRole('combobox').click();
  await page.getByRole('option', { name: 'Viewer' }).click();
  await page.getByRole('dialog').getByText('You change your own rights.').waitFor();
});

test('the sign-in says why passkeys do not work at the IP address, and leads to the address where they do', async () => {
  const page = await web.open();
  await page.goto('/console/sign-in');
  await page.getByText('Passkeys need HTTPS or the address localhost.').waitFor();
  await expectAccessible(page);
  const link = page.getByRole('link', { name: 'Open this page at localhost' });
  expect(await link.getAttribute('href')).toBe(`http://localhost:${new URL(web.url).port}/console/sign-in`);
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
});

test('the page of single sign-on says that it is off, and how to set it up', async () => {
  const page = await web.signIn({ path: '/accounts/1/settings/single-sign-on' });
  await page.getByText('Set ROSTER_PUBLIC_URL first.').waitFor();
  await expectAccessible(page);
});
