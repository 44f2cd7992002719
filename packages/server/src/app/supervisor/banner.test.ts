import { expect, test } from 'vitest';
import { banner } from './banner.ts';

const facts = { url: 'http://127.0.0.1:8080', adminTokenFile: '/data/admin-token', setUpToken: undefined };
const account = { accountId: 1, apiKey: 'rk_secret', audienceId: 1 };

test('the banner of the first start shows the generated API key', () => {
  const text = banner({ ...facts, firstAccount: { ...account, isKeyGiven: false } });
  expect(text).toContain('rk_secret');
  expect(text).toContain('Keep its API key: it is shown only once.');
});

test('the banner does not show an API key from ROSTER_API_KEY', () => {
  const text = banner({ ...facts, firstAccount: { ...account, isKeyGiven: true } });
  expect(text).toContain('the value of ROSTER_API_KEY');
  expect(text).not.toContain('rk_secret');
  expect(text).not.toContain('Keep its API key');
});

test('the banner of a later start shows the URLs, and no account', () => {
  const text = banner({ ...facts, firstAccount: undefined });
  expect(text).toContain('\n    Console   http://127.0.0.1:8080/console\n');
  expect(text).toContain('\n    Docs      http://127.0.0.1:8080/docs\n');
  expect(text).not.toContain('Account');
});

test('the banner shows the link of the set-up only while there is no owner', () => {
  expect(banner({ ...facts, firstAccount: undefined, setUpToken: 'secret' })).toContain(
    'http://127.0.0.1:8080/console/set-up#token=secret',
  );
  expect(banner({ ...facts, firstAccount: undefined })).not.toContain('set-up');
});
