import { setTimeout as sleep } from 'node:timers/promises';

import { type Log, silentLog } from '../application/log.ts';
import type { EmbeddedPostgres } from '../embedded/embedded-postgres.ts';
import { EmbeddedPostgresError } from '../errors/embedded-postgres-error.ts';

/** Milliseconds to wait after a failed start. The pause doubles up to the maximum. */
const pause = { first: 250, max: 10_000 };

/**
 * Restarts an embedded PostgreSQL each time it ends unexpectedly, until it is stopped.
 *
 * The server keeps its port, so that connection pools can reconnect. Failed starts are retried
 * without limit, because the cause may go away (a full disk). The log shows the cause.
 */
export function restartOnExit(postgres: EmbeddedPostgres, log: Log = silentLog): void {
  postgres.onExit((lines) => {
    log.error({ lines }, 'PostgreSQL ended unexpectedly; restarting it');
    void restart(postgres, log);
  });
}

async function restart(postgres: EmbeddedPostgres, log: Log): Promise<void> {
  const began = performance.now();
  for (let ms = pause.first; ; ms = Math.min(ms * 2, pause.max)) {
    try {
      await postgres.restart();
      log.info({ pid: postgres.pid, ms: Math.round(performance.now() - began) }, 'PostgreSQL is running again');
      return;
    } catch (error) {
      // The server was stopped in the meantime.
      if (error instanceof EmbeddedPostgresError && error.code === 'aborted') return;
      log.error({ err: error }, 'could not restart PostgreSQL; retrying');
    }
    await sleep(ms, undefined, { ref: false });
  }
}
