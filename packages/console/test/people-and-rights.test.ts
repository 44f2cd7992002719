import { generate } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole, type TestConsole } from './support/console.ts';
import { owner } from './support/people.ts';

let console: TestConsole;

beforeAll(async () => {
  console = await startConsole({ worker: false });
});
afterAll(() => console[Symbol.asyncDispose]());

test('a person sets up an authenticator app, keeps the recovery codes, and removes the app', async () => {
  const page = await console.signIn({ path: '/profile' });
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

  await section.getByRole('button', { name: 'Remove the app' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the app' }).click();
  await section.getByText('Off').waitFor();
});

test('an old sign-in asks for the password before a token is created, and shows the token once', async () => {
  const page = await console.signIn({ path: '/profile' });
  await console.service.context.pool.query(
    `update sessions set authenticated_at = authenticated_at - interval '1 hour'`,
  );
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
  const answer = await console.service.call('GET', '/admin/v1/me', { headers: { authorization: `Bearer ${token}` } });
  expect(answer.body.email).toBe(owner.email);

  await section.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await section.getByRole('table').waitFor({ state: 'detached' });
});

test('a person ends the other sessions, and changes the name and the language', async () => {
  const other = await console.signIn();
  const page = await console.signIn({ path: '/profile' });
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

test('an owner invites a viewer by a link, and changes the role', async () => {
  const page = await console.signIn({ path: '/accounts/1/settings/members' });
  await page.getByText('No open invitations.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Invite a person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByLabel('E-mail address').fill('lena@example.com');
  await dialog.getByRole('radio', { name: 'Viewer' }).check();
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = /http\S+#token=[\w-]{43}/.exec(await dialog.locator('pre').innerText())![0];
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('table', { name: 'Invitations' }).getByText('lena@example.com').waitFor();

  const token = link.split('#token=')[1];
  const body = { token, name: 'Lena Weber', password: owner.password };
  expect((await console.service.call('POST', '/admin/v1/invitations/accept', { body })).status).toBe(200);

  await page.reload();
  const row = page.getByRole('row', { name: /Lena Weber/ });
  await row.getByRole('textbox', { name: 'Role of Lena Weber' }).click();
  await page.getByRole('option', { name: 'Editor' }).click();
  await expect
    .poll(async () =>
      (await console.service.first.operator('GET', '/members')).body.data.map((one: { role: string }) => one.role),
    )
    .toEqual(['owner', 'editor']);
  await row.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row.waitFor({ state: 'detached' });
});

test('the page of single sign-on says that it is off, and how to set it up', async () => {
  const page = await console.signIn({ path: '/accounts/1/settings/single-sign-on' });
  await page.getByText(`${console.url}/admin/v1/single-sign-on/callback`).waitFor();
  await expectAccessible(page);
});
