import { generate } from 'otplib';
import { beforeEach, expect, test } from 'vitest';
import { minute } from '#platform/time/intervals.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { goodPassword, openBrowser, owner, signedInOwner, type Browser } from './support.ts';

let secret: string;
let recoveryCodes: string[];
let now = new Date('2026-03-01T08:00:00Z');

const service = await forFile(startTestService({ worker: false, now: () => now }));
const browser = await signedInOwner(service);

// Each test begins in a new time step, so that the codes of the test before are over.
beforeEach(() => {
  now = new Date(now.getTime() + 2 * minute);
});

const codeAt = (moment = now): Promise<string> => generate({ secret, epoch: Math.floor(moment.getTime() / 1000) });

/** Sends the password, and returns a browser that must send a code next. */
async function halfSignedIn(): Promise<Browser> {
  const half = openBrowser(service);
  const answer = await half.send('POST', '/session', { email: owner.email, password: goodPassword });
  expect(answer.body).toEqual({ status: 'second_factor' });
  return half;
}

const sendCode = (half: Browser, code: string) => half.send('POST', '/session/second-factor', { code });
const personOf = async (one: Browser) => (await one.send('GET', '/session')).body.person;

test('an app is confirmed by its first code, and the answer has ten recovery codes', async () => {
  await browser.send('POST', '/me/confirmation', { password: goodPassword });
  const started = await browser.send('POST', '/me/two-factor');
  secret = started.body.secret;
  expect(started.body.uri).toBe(`otpauth://totp/Roster:asha%40example.com?secret=${secret}&issuer=Roster`);
  // The sign-in is not protected before the confirmation.
  expect((await openBrowser(service).send('POST', '/session', owner_)).body).toEqual({ status: 'signed_in' });

  const wrong = await browser.send('POST', '/me/two-factor/confirm', { code: '000000' });
  const right = await browser.send('POST', '/me/two-factor/confirm', { code: await codeAt() });

  expect(wrong.status).toBe(403);
  expect(right.status).toBe(200);
  recoveryCodes = right.body.recovery_codes;
  expect(new Set(recoveryCodes).size).toBe(10);
  for (const code of recoveryCodes) expect(code).toMatch(/^[2-9a-z]{4}(-[2-9a-z]{4}){3}$/);
  const { rows } = await service.context.pool.query<{ row: string }>(
    'select recovery_codes::text as row from recovery_codes',
  );
  for (const { row } of rows) expect(recoveryCodes.some((code) => row.includes(code))).toBe(false);
  expect((await browser.send('POST', '/me/two-factor')).status).toBe(409);
});

const owner_ = { email: owner.email, password: goodPassword };

test('a sign-in needs the code after the password, and has no session before', async () => {
  const half = await halfSignedIn();
  expect(await personOf(half)).toBeNull();
  expect((await half.send('GET', '/me')).status).toBe(401);

  expect((await sendCode(half, await codeAt())).body).toEqual({ status: 'signed_in' });
  expect(await personOf(half)).toMatchObject({ has_second_factor: true });
});

test('a code works once, even for two requests at the same time (replay)', async () => {
  const code = await codeAt();
  const halves = [await halfSignedIn(), await halfSignedIn(), await halfSignedIn()];
  const answers = await Promise.all(halves.map((half) => sendCode(half, code)));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401, 401]);
  expect((await sendCode(await halfSignedIn(), code)).status).toBe(401);
});

test('an older code is refused after a newer one was used', async () => {
  const older = await codeAt(new Date(now.getTime() - 30_000));
  expect((await sendCode(await halfSignedIn(), await codeAt())).status).toBe(200);
  expect((await sendCode(await halfSignedIn(), older)).status).toBe(401);
});

test('a code is accepted with a clock that is half a minute wrong, and not with two minutes', async () => {
  expect((await sendCode(await halfSignedIn(), await codeAt(new Date(now.getTime() - 2 * minute)))).status).toBe(401);
  expect((await sendCode(await halfSignedIn(), await codeAt(new Date(now.getTime() + 30_000)))).status).toBe(200);
});

test('a recovery code works once, in any case and without dashes', async () => {
  const code = recoveryCodes[0]!.toUpperCase().replaceAll('-', ' ');
  expect((await sendCode(await halfSignedIn(), code)).status).toBe(200);
  expect((await sendCode(await halfSignedIn(), code)).status).toBe(401);
  const halves = [await halfSignedIn(), await halfSignedIn()];
  const answers = await Promise.all(halves.map((half) => sendCode(half, recoveryCodes[1]!)));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401]);
});

test('the second step must come within ten minutes, from the same browser, once', async () => {
  const late = await halfSignedIn();
  now = new Date(now.getTime() + 11 * minute);
  expect((await sendCode(late, await codeAt())).status).toBe(410);
  expect((await sendCode(openBrowser(service), await codeAt())).status).toBe(410);
  const half = await halfSignedIn();
  const copy = openBrowser(service, { cookies: new Map(half.cookies) });
  expect((await sendCode(half, await codeAt())).status).toBe(200);
  now = new Date(now.getTime() + minute);
  expect((await sendCode(copy, await codeAt())).status).toBe(410);
});

test('wrong codes are limited for the user, whatever the network is', async () => {
  const statuses = [];
  for (let count = 0; count < 12; count++) statuses.push((await sendCode(await halfSignedIn(), '000000')).status);
  // Each browser has its own network, so only the limit of the user counts.
  expect(statuses.every((status) => status === 401)).toBe(true);
  const half = await halfSignedIn();
  const same = [];
  for (let count = 0; count < 12; count++) same.push((await sendCode(half, '000000')).status);
  expect(same).toEqual([...Array<number>(10).fill(401), 429, 429]);
  await service.context.pool.query('delete from sign_in_limits');
});

test('a stranger cannot use up the attempts of a user with made-up addresses', async () => {
  const { user_id: id } = (await browser.send('GET', '/me')).body;
  for (let count = 0; count < 51; count++) {
    const stranger = openBrowser(service);
    await stranger.send('POST', '/session', { email: `code:${id}`, password: 'a wrong password' });
  }
  expect((await sendCode(await halfSignedIn(), await codeAt())).status).toBe(200);
  await service.context.pool.query('delete from sign_in_limits');
});

test('a sign-in that waits for a code ends when the password changes', async () => {
  const waiting = await halfSignedIn();
  await browser.send('POST', '/me/confirmation', { password: goodPassword });
  expect((await browser.send('POST', '/me/password', { new_password: goodPassword })).status).toBe(204);
  expect((await sendCode(waiting, await codeAt())).status).toBe(410);
});

test('a password reset does not replace the code', async () => {
  const { newPasswordResetLink } = await import('#features/users/password-resets/password-resets.ts');
  const link = await newPasswordResetLink(service.context, 'http://localhost', owner.email);
  const token = link!.split('#token=')[1]!;
  const answer = await openBrowser(service).send('POST', '/password-resets/complete', {
    token,
    password: goodPassword,
  });
  expect(answer.status).toBe(204);
  await halfSignedIn();
});

test('removing the app needs a recent sign-in, and then the password is enough', async () => {
  const half = await halfSignedIn();
  await sendCode(half, await codeAt());
  now = new Date(now.getTime() + 11 * minute);
  const refused = await half.send('DELETE', '/me/two-factor');
  expect(refused).toMatchObject({ status: 403, body: { errors: [{ code: 'confirmation_required' }] } });

  expect((await half.send('POST', '/me/confirmation', { code: '000000' })).status).toBe(403);
  expect((await half.send('POST', '/me/confirmation', { code: await codeAt() })).status).toBe(204);
  expect((await half.send('DELETE', '/me/two-factor')).status).toBe(204);

  expect((await openBrowser(service).send('POST', '/session', owner_)).body).toEqual({ status: 'signed_in' });
  const { rows } = await service.context.pool.query('select from recovery_codes');
  expect(rows).toEqual([]);
});
