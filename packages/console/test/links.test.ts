import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { forFile } from '../../server/test/support/for-file.ts';
import { newPasswordResetLink } from '../../server/src/features/users/password-resets/password-resets.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

const web = await forFile(startConsole({ config: { publicUrl: 'http://roster.example.com' } }));
await web.signIn();

/** Opens a link of a mail. Its host can be another name of the service. */
async function follow(page: Page, link: string): Promise<void> {
  const { pathname, hash } = new URL(link, web.url);
  await page.goto(`${pathname}${hash}`);
}

test('an invited person chooses a name and a password, and sees the account', async () => {
  const answer = await web.service.first.operator('POST', '/invitations', {
    email: 'ravi@example.com',
    role: 'viewer',
  });
  const { link } = answer.body as { link: string };
  const page = await web.open();
  await follow(page, link);
  await page.getByRole('heading', { name: /^Join / }).waitFor();
  await page.getByText('You (ravi@example.com) are invited as viewer.').waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await expectAccessible(page);
  await page.getByLabel('Your name').fill('Ravi Menon');
  await page.getByLabel('Password', { exact: true }).fill('another long password');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.waitForURL('**/console/accounts/1');
  await page.getByRole('button', { name: 'Ravi Menon' }).waitFor();

  const second = await web.open();
  await follow(second, link);
  await second.getByRole('heading', { name: 'This invitation is not valid' }).waitFor();
  await expectAccessible(second);
  await second.reload();
  await second.getByRole('heading', { name: 'Open the link again' }).waitFor();
});

test('an invitation to somebody else asks to sign out first, and then leads to the account of the invitation', async () => {
  const second = await web.service.createAccount({ name: 'Second' });
  const { body } = await second.operator('POST', '/invitations', {
    email: 'lena@example.com',
    role: 'viewer',
  });
  const page = await web.signIn();
  await follow(page, (body as { link: string }).link);
  await page.getByText('The invitation is for lena@example.com. You are signed in as asha@example.com.').waitFor();
  expect(await page.getByRole('button', { name: 'Join' }).count()).toBe(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Your name').fill('Lena Weber');
  await page.getByLabel('Password', { exact: true }).fill('another long password');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.waitForURL(`**/console/accounts/${second.accountId}`);
  await page.getByRole('button', { name: 'Lena Weber' }).waitFor();
});

test('a link for a new password works once', async () => {
  const link = await newPasswordResetLink(web.service.context, web.url, 'asha@example.com');
  if (link === undefined) throw new Error('the owner does not exist');
  const page = await web.open();
  await follow(page, link);
  const field = page.getByLabel('New password', { exact: true });
  await field.waitFor();
  await expectAccessible(page);
  await field.fill('asha@example.com');
  await page.getByRole('button', { name: 'Save the password' }).click();
  await page.getByRole('alert').waitFor();
  await field.fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Save the password' }).click();
  await page.getByRole('heading', { name: 'Your password is changed' }).waitFor();

  const second = await web.open();
  await follow(second, link);
  await second.getByLabel('New password', { exact: true }).fill('correct horse battery staple');
  await second.getByRole('button', { name: 'Save the password' }).click();
  await second.getByRole('alert').filter({ hasText: 'This link is not valid anymore' }).waitFor();
});

test('a new link works in the tab that shows the end of an old one', async () => {
  const page = await web.open();
  await follow(page, '/console/invitation#token=old');
  await page.getByRole('heading', { name: 'This invitation is not valid' }).waitFor();
  const invitation = { email: 'mina@example.com', role: 'viewer' };
  const { body } = await web.service.first.operator('POST', '/invitations', invitation);
  await follow(page, (body as { link: string }).link);
  await page.getByText('You (mina@example.com) are invited as viewer.').waitFor();
  expect(new URL(page.url()).hash).toBe('');
});

test('without a mail server, the page for a forgotten password says who can help', async () => {
  const page = await web.open();
  await page.goto('/console/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByText('This service cannot send mails.').waitFor();
  await expectAccessible(page);
});

test('the set-up page leads to sign-in after the set-up', async () => {
  const page = await web.open();
  await page.goto('/console/set-up#token=old');
  await page.getByRole('heading', { name: 'Roster is set up' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL(/\/console\/sign-in/);
});

test('the page of single sign-on shows the redirect address that the service sends', async () => {
  // The browser has another address of the service.
  const page = await web.signIn({ path: '/accounts/1/settings/single-sign-on' });
  await page.getByText('http://roster.example.com/admin/v1/single-sign-on/callback').waitFor();
});
