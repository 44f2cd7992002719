import { getEventListeners } from 'node:events';
import { expect, test, vi } from 'vitest';
import { listen } from '#platform/database/connection/listen.ts';

test('a subscription keeps nothing of its failed attempts while the database is away', async () => {
  const signals = new Set<AbortSignal>();
  const add = vi.spyOn(AbortSignal.prototype, 'addEventListener');
  let attempts = 0;
  const thirdFailure = Promise.withResolvers<void>();
  const note = (): void => {
    attempts++;
    if (attempts === 3) thirdFailure.resolve();
  };
  const log = { debug: note, warn: note };
  // Nothing listens on this port.
  const listener = listen({ config: {}, log } as never, 'channel', () => undefined, 'postgres://127.0.0.1:1/none');
  await thirdFailure.promise;
  for (const signal of add.mock.contexts) signals.add(signal as AbortSignal);
  add.mockRestore();
  // The pause before the next attempt waits for the signal.
  expect([...signals].flatMap((signal) => getEventListeners(signal, 'abort')).length).toBeLessThanOrEqual(1);
  await listener[Symbol.asyncDispose]();
});

test('a subscription does not warn of each failed attempt while the database is away', async () => {
  const levels: string[] = [];
  const fifthFailure = Promise.withResolvers<void>();
  const note = (level: string): void => {
    if (levels.push(level) === 5) fifthFailure.resolve();
  };
  const log = { debug: () => note('debug'), warn: () => note('warn') };
  const listener = listen({ config: {}, log } as never, 'channel', () => undefined, 'postgres://127.0.0.1:1/none');
  await fifthFailure.promise;
  await listener[Symbol.asyncDispose]();
  expect(levels).toEqual(['debug', 'warn', 'debug', 'debug', 'debug']);
});
