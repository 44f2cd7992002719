import { describe, expect, test } from 'vitest';
import { minute } from '#platform/time/intervals.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { createAuthenticator, type Deviation } from './authenticator.ts';
import { goodPassword, openBrowser, owner, signedInOwner, type Browser } from './support.ts';

const origin = 'https://roster.example.com';
let now = new Date('2026-03-01T08:00:00Z');
const device = createAuthenticator(origin);

const service = await forFile(startTestService({ worker: false, now: () => now, config: { publicUrl: origin } }));
const browser = await signedInOwner(service);

const optionsOf = async (one: Browser, path: string) => (await one.send('POST', path)).body.options;

/** Adds a passkey with a device that does something differently. */
async function add(deviation: Deviation = {}, name = 'Laptop') {
  const response = device.create(await optionsOf(browser, '/me/passkey-options'), deviation);
  return browser.send('POST', '/me/passkeys', { name, response });
}

/** Signs in with the first passkey, and returns the answer and the browser. */
async function signIn(deviation: Deviation = {}) {
  const fresh = openBrowser(service);
  const response = device.get(await optionsOf(fresh, '/session/passkey-options'), deviation, device.passkeys[0]);
  return { fresh, answer: await fresh.send('POST', '/session/passkey', { response }) };
}

describe('a new passkey', () => {
  test('is asked for with user verification, and for a device that knows the person', async () => {
    expect(await optionsOf(browser, '/me/passkey-options')).toMatchObject({
      rp: { id: 'roster.example.com', name: 'Roster' },
      user: { name: owner.email, displayName: owner.name },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  });

  test('is stored and listed', async () => {
    const answer = await add();
    expect(answer).toMatchObject({ status: 201, body: { passkey_id: 1, name: 'Laptop', last_used_at: null } });
    expect((await browser.send('GET', '/me/passkeys')).body.data).toEqual([answer.body]);
    const again = await optionsOf(browser, '/me/passkey-options');
    expect(again.excludeCredentials).toMatchObject([{ id: device.passkeys[0]!.id.toString('base64url') }]);
  });

  test.each<[string, Deviation]>([
    ['of another origin', { origin: 'https://roster.example.org' }],
    ['for another site', { rpId: 'example.com' }],
    ['for another challenge', { challenge: 'Zm9vYmFyYmF6' }],
    ['of a device that did not verify the person', { isVerified: false }],
  ])('%s is refused', async (_, deviation) => {
    expect((await add(deviation)).status).toBe(403);
    expect((await browser.send('GET', '/me/passkeys')).body.data).toHaveLength(1);
  });

  test('cannot be added twice with one challenge, or by another person', async () => {
    const options = await optionsOf(browser, '/me/passkey-options');
    const response = device.create(options);
    expect((await browser.send('POST', '/me/passkeys', { name: 'One', response })).status).toBe(201);
    expect((await browser.send('POST', '/me/passkeys', { name: 'Two', response })).status).toBe(410);
    await browser.send('DELETE', '/me/passkeys/2');
  });

  test('needs a recent sign-in', async () => {
    const start = now;
    now = new Date(start.getTime() + 11 * minute);
    expect((await browser.send('POST', '/me/passkey-options')).status).toBe(403);
    expect((await browser.send('POST', '/me/confirmation', { password: goodPassword })).status).toBe(204);
    expect((await browser.send('POST', '/me/passkey-options')).status).toBe(200);
    now = start;
  });
});

describe('a sign-in with a passkey', () => {
  test('needs no address and no password', async () => {
    const { fresh, answer } = await signIn();
    expect(answer).toMatchObject({ status: 200, body: { status: 'signed_in' } });
    expect((await fresh.send('GET', '/session')).body.person).toMatchObject({ email: owner.email });
    expect((await fresh.send('GET', '/me/sessions')).body.data.at(-1)).toMatchObject({ method: 'passkey' });
    expect((await fresh.send('GET', '/me/passkeys')).body.data[0].last_used_at).toBe(now.toISOString());
  });

  test.each<[string, Deviation]>([
    ['of another origin', { origin: 'https://evil.example.com' }],
    ['for another site', { rpId: 'example.com' }],
    ['for another challenge', { challenge: 'Zm9vYmFyYmF6' }],
    ['of a device that did not verify the person', { isVerified: false }],
    ['with the signature of another key', { otherKey: true }],
    ['with a counter that goes back (a copied passkey)', { counter: 1 }],
    ['with a counter that stays the same', { counter: 1 }],
  ])('an answer %s is refused', async (_, deviation) => {
    const { fresh, answer } = await signIn(deviation);
    expect(answer).toMatchObject({ status: 401, body: { description: 'The sign-in failed. Check what you entered.' } });
    expect((await fresh.send('GET', '/session')).body.person).toBeNull();
    device.passkeys[0]!.counter = 10;
  });

  test('can be started often from one network, but not without end', async () => {
    const fresh = openBrowser(service);
    expect((await fresh.send('POST', '/session/passkey-options')).status).toBe(200);
    await service.context.pool.query(`update sign_in_limits set points = 1000 where key like 'start:%'`);
    const refused = await fresh.send('POST', '/session/passkey-options');
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    expect((await openBrowser(service).send('POST', '/session/passkey-options')).status).toBe(200);
  });

  test('is refused for a passkey that the service does not know', async () => {
    const fresh = openBrowser(service);
    const other = createAuthenticator(origin);
    other.create({ rp: { id: 'roster.example.com' }, challenge: 'x', user: { id: 'eA' } });
    const response = other.get(await optionsOf(fresh, '/session/passkey-options'));
    expect((await fresh.send('POST', '/session/passkey', { response })).status).toBe(401);
  });

  test('cannot be repeated with the same answer', async () => {
    const fresh = openBrowser(service);
    const options = await optionsOf(fresh, '/session/passkey-options');
    const copy = openBrowser(service, { cookies: new Map(fresh.cookies) });
    const response = device.get(options, { counter: 20 }, device.passkeys[0]);
    expect((await fresh.send('POST', '/session/passkey', { response })).status).toBe(200);
    expect((await copy.send('POST', '/session/passkey', { response })).status).toBe(410);
  });

  test('is refused for a disabled user', async () => {
    await service.context.pool.query('update users set disabled_at = now()');
    expect((await signIn({ counter: 30 })).answer.status).toBe(401);
    await service.context.pool.query('update users set disabled_at = null');
  });

  test('is refused after the passkey was removed', async () => {
    expect((await browser.send('DELETE', '/me/passkeys/999')).status).toBe(404);
    expect((await browser.send('DELETE', '/me/passkeys/1')).status).toBe(204);
    expect((await signIn({ counter: 40 })).answer.status).toBe(401);
  });
});
