import { setTimeout as sleep } from 'node:timers/promises';

import { type Log, silentLog } from '../application/log.ts';
import type { EmbeddedPostgres } from '../embedded/embedded-postgres.ts';
import { EmbeddedPostgresError } from '../errors/embedded-postgres-error.ts';

/** Pause after a start that failed; it doubles from the first to the last, in milliseconds. */
const pause = { first: 250, most: 10_000 };

/**
 * Starts an embedded PostgreSQL again whenever it ends by itself, until it is stopped.
 *
 * It keeps its port, so connection pools find it again by themselves. A start that fails is tried
 * again, without an end: the reason may pass (a full disk), and the log says why.
 */
export function restartOnExit(postgres: EmbeddedPostgres, log: Log = silentLog): void {
  postgres.onExit(() => {
    log.error({}, 'PostgreSQL ended by itself; it is started again');
    void restart(postgres, log);
  });
}

async function restart(postgres: EmbeddedPostgres, log: Log): Promise<void> {
  const began = performance.now();
  for (let ms = pause.first; ; ms = Math.min(ms * 2, pause.most)) {
    try {
      await postgres.restart();
      log.info({ pid: postgres.pid, ms: Math.round(performance.now() - began) }, 'PostgreSQL runs again');
      return;
    } catch (error) {
      // Told to stop meanwhile.
      if (error instanceof EmbeddedPostgresError && error.code === 'aborted') return;
      log.error({ err: error }, 'PostgreSQL could not be started again');
    }
    await sleep(ms, undefined, { ref: false });
  }
}
