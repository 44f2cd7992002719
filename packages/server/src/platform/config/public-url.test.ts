import { expect, test } from 'vitest';
import { publicUrlOf, urlOfAddress } from './public-url.ts';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['192.0.2.7', 'http://192.0.2.7:8080'],
  ['::1', 'http://[::1]:8080'],
  ['0.0.0.0', 'http://127.0.0.1:8080'],
  ['::', 'http://[::1]:8080'],
])('a client on the machine opens the address %s as %s', (address, url) => {
  expect(urlOfAddress(address, 8080)).toBe(url);
});

test('the public URL is ROSTER_PUBLIC_URL, or that of the address of the service', () => {
  const listening = { host: '0.0.0.0', port: 8080 };
  expect(publicUrlOf({ ...listening, publicUrl: 'https://contacts.example.com' })).toBe('https://contacts.example.com');
  expect(publicUrlOf({ ...listening, publicUrl: undefined })).toBe('http://127.0.0.1:8080');
});
