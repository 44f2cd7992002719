import pg from 'pg';
import type { Context } from '#platform/context.ts';
import { repeatUntilAborted } from '#platform/loops/repeat-until-aborted.ts';
import { describeError } from './describe-error.ts';

/** Milliseconds from the loss of a connection, or a failure to open one, to the next attempt. */
const pauseBefore = 500;

/** A subscription to a channel of the database. Disposing it ends the subscription. */
export type Listener = AsyncDisposable;

/**
 * Listens on a channel of the database, on a connection of its own that is opened again whenever it is lost.
 *
 * `onNotify` is called with the payload of each notification, and with undefined when the subscription begins (again): notifications sent
 * in between are lost, so whoever listens must look at the state then.
 */
export function listen(
  context: Pick<Context, 'config' | 'log'>,
  channel: string,
  onNotify: (payload: string | undefined) => void,
): Listener {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = repeatUntilAborted(listenOnce, { signal, interval: pauseBefore, first: pauseBefore, onError });

  async function listenOnce(): Promise<void> {
    const client = new pg.Client({
      connectionString: context.config.databaseUrl!,
      application_name: `roster listen ${channel}`,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
    });
    const lost = new Promise<void>((resolve) => {
      client.once('end', () => resolve());
      client.on('error', () => resolve());
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    client.on('notification', (message) => onNotify(message.payload));
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      onNotify(undefined);
      await lost;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  function onError(error: unknown, failures: number): void {
    // A slow machine misses the first attempt while it starts: only a repeated failure is worth a warning.
    const level = failures > 1 ? 'warn' : 'debug';
    context.log[level]({ err: describeError(error), channel }, 'cannot listen to the database; retrying');
  }

  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}
