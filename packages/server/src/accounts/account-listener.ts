import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Context } from '../context.ts';
import { accountChannel } from './account-channel.ts';

/** What a listener tells. */
export interface AccountListenerEvents {
  /** An account, or one of its API keys, changed. */
  changed(accountId: number): void;
  /** Listening began or began again: changes in between were not heard. */
  listening(): void;
}

// Reconnecting waits 0.1 s, then twice as long each time, up to 5 s: a restart of the database is over in that time, and a hundred processes
// that lost it together do not come back in the same instant (each wait is shortened at random by up to a half).
const firstWait = 100;
const longestWait = 5000;

/**
 * Listens for {@link announceAccount} on a connection of its own until it is disposed; reconnects by itself.
 *
 * Nothing may depend on it alone: a dead network path can look like silence.
 */
export function listenForAccounts(
  context: Pick<Context, 'config' | 'log'>,
  events: AccountListenerEvents,
): AsyncDisposable {
  const stop = new AbortController();
  const running = run();

  async function run(): Promise<void> {
    let wait = firstWait;
    while (!stop.signal.aborted) {
      try {
        await listen(() => {
          wait = firstWait;
        });
        if (!stop.signal.aborted) context.log.warn('the listening connection was lost');
      } catch (error) {
        context.log.warn(
          { err: { message: error instanceof Error ? error.message : String(error) } },
          'the listening connection could not be opened',
        );
      }
      await delay(wait * (1 - Math.random() / 2), undefined, { signal: stop.signal }).catch(() => undefined);
      wait = Math.min(wait * 2, longestWait);
    }
  }

  /** Resolves when the connection ends; rejects when it could not be opened. */
  async function listen(opened: () => void): Promise<void> {
    const client = new pg.Client({
      connectionString: context.config.databaseUrl,
      application_name: 'roster listen',
      keepAlive: true,
      connectionTimeoutMillis: 5000,
    });
    const ended = new Promise<void>((resolve) => {
      client.once('end', resolve);
      // After an error the connection is useless even where no 'end' follows.
      client.on('error', () => resolve());
    });
    client.on('notification', ({ payload }) => events.changed(Number(payload)));
    const abort = (): void => void client.end().catch(() => undefined);
    try {
      await client.connect();
      stop.signal.addEventListener('abort', abort, { once: true });
      if (stop.signal.aborted) return;
      await client.query(`listen ${accountChannel}`);
      opened();
      events.listening();
      await ended;
    } finally {
      stop.signal.removeEventListener('abort', abort);
      await client.end().catch(() => undefined);
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}
