import { performance } from 'node:perf_hooks';

/** Above this utilization of the event loop, the process reads responses of the database late. */
const busyLoop = 0.5;

/**
 * The database did not respond in time because it, or this process, was busy. Nothing was sent or
 * changed, and a retry can succeed. An unreachable database causes other errors.
 */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';
}

/**
 * Distinguishes a busy database or process from an unreachable database. No response comes in
 * either case. The pools of a process share one watch.
 */
export interface DatabaseWatch {
  /** Records that the database responded on any connection. */
  noteResponse(): void;
  /**
   * Begins a wait for the database. Call the returned function when the wait failed. It returns
   * true when the event loop was busy for more than half of the time, or when the database
   * responded on another connection since then.
   */
  wait(): () => boolean;
}

/** Makes the watch of a process. */
export function createDatabaseWatch(): DatabaseWatch {
  let respondedAt = Number.NEGATIVE_INFINITY;
  return {
    noteResponse: () => void (respondedAt = performance.now()),
    wait() {
      const since = performance.now();
      const loop = performance.eventLoopUtilization();
      return () => respondedAt >= since || performance.eventLoopUtilization(loop).utilization > busyLoop;
    },
  };
}
