import { expect, test } from 'vitest';
import { banner } from './banner.ts';

const facts = { url: 'http://127.0.0.1:8080', adminTokenFile: '/data/admin-token' };
const account = { accountId: 1, apiKey: 'rk_secret', audienceId: 1 };

test('the first start shows the key that it generated', () => {
  const text = banner({ ...facts, firstAccount: { ...account, isKeyGiven: false } });
  expect(text).toContain('rk_secret');
  expect(text).toContain('Keep its API key: it is shown only once.');
});

test('a key that was given is not shown', () => {
  const text = banner({ ...facts, firstAccount: { ...account, isKeyGiven: true } });
  expect(text).toContain('the value of ROSTER_API_KEY');
  expect(text).not.toContain('rk_secret');
  expect(text).not.toContain('Keep its API key');
});

test('a later start shows where the service is, and no account', () => {
  const text = banner({ ...facts, firstAccount: undefined });
  expect(text).toContain('http://127.0.0.1:8080/docs');
  expect(text).not.toContain('Account');
});
