import { expect, test } from 'vitest';
import { resolveHost } from '../../src/delivery/resolve-host.ts';

test('a name that an operator has opened is resolved as the system does', async () => {
  const addresses = await resolveHost('localhost', { asSystem: true, signal: new AbortController().signal });
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) expect(address).toMatch(/^127\.|^::1$/);
});

test('a name that nobody has is refused, with what the DNS calls it', async () => {
  const { signal } = new AbortController();
  await expect(resolveHost('nobody.invalid', { asSystem: false, signal })).rejects.toMatchObject({
    code: expect.stringMatching(/^E[A-Z]+$/),
  });
});

test('a look-up that nobody waits for is given up', async () => {
  const given = new AbortController();
  const found = resolveHost('nobody.invalid', { asSystem: false, signal: given.signal });
  given.abort();
  await expect(found).rejects.toMatchObject({ code: expect.stringMatching(/^E[A-Z]+$/) });
});
