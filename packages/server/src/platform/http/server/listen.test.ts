import { expect, test } from 'vitest';
import { ConfigError } from '#platform/config/config.ts';
import { listenOn } from './listen.ts';

const place = { host: '999.1.1.1', port: 8080 };

test('a HOST without an address is a fault of the settings, and not of the database', async () => {
  const notFound = Object.assign(new Error('getaddrinfo ENOTFOUND 999.1.1.1'), { syscall: 'getaddrinfo' });
  const failure = listenOn(place, () => Promise.reject(notFound));
  await expect(failure).rejects.toThrow(ConfigError);
  await expect(failure).rejects.toThrow(/HOST must be an IP address .* 999\.1\.1\.1 has none\./);
});

test('other errors of listening stay as they are', async () => {
  const taken = Object.assign(new Error('listen EADDRINUSE'), { syscall: 'listen', code: 'EADDRINUSE' });
  await expect(listenOn(place, () => Promise.reject(taken))).rejects.toBe(taken);
});
