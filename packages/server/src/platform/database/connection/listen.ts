import pg from 'pg';
import type { Context } from '#platform/context.ts';
import { isWorthALine, repeatUntilAborted } from '#platform/loops/repeat-until-aborted.ts';
import { describeError } from './describe-error.ts';
import { settingStatements } from './open-connection.ts';

/** Milliseconds before the next attempt, after a lost connection or a failed attempt. */
const pauseBefore = 500;

/** A subscription to a channel of the database. Disposing it ends the subscription. */
export type Listener = AsyncDisposable;

/**
 * Listens on a channel of the database, on its own connection. A lost connection is opened again.
 *
 * Calls `onNotify` with the payload of each notification, and with undefined whenever the
 * subscription begins. Earlier notifications are lost, so the caller must then read the state. `url`:
 * the server; default: the database of the configuration.
 */
export function listen(
  context: Pick<Context, 'config' | 'log'>,
  channel: string,
  onNotify: (payload: string | undefined) => void,
  url = context.config.databaseUrl!,
): Listener {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = repeatUntilAborted(listenOnce, { signal, interval: pauseBefore, first: pauseBefore, onError });

  async function listenOnce(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: listenerName(channel),
      keepAlive: true,
      connectionTimeoutMillis: 5000,
    });
    const lost = Promise.withResolvers<void>();
    const end = (): void => lost.resolve();
    for (const event of ['end', 'error'] as const) client.on(event, end);
    signal.addEventListener('abort', end);
    client.on('notification', (message) => onNotify(message.payload));
    try {
      await client.connect();
      await client.query(settingStatements());
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      onNotify(undefined);
      await lost.promise;
    } finally {
      // Otherwise the signal would keep each lost connection in memory.
      signal.removeEventListener('abort', end);
      await client.end().catch(() => undefined);
    }
  }

  function onError(error: unknown, failures: number): void {
    // The first attempt may fail when a slow machine starts. Only repeated failures are warnings.
    const level = failures > 1 && isWorthALine(failures - 1, pauseBefore) ? 'warn' : 'debug';
    context.log[level]({ err: describeError(error), channel }, 'could not listen to the database; retrying');
  }

  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}

/** Returns the name that the connections of a channel have in pg_stat_activity. */
export function listenerName(channel: string): string {
  return `roster listen ${channel}`;
}
