import { performance } from 'node:perf_hooks';

/** A process whose event loop was busy for this part of the time reads the responses of the database late. */
const busyLoop = 0.5;

/**
 * The database did not respond in time because it, or this process, was busy. Nothing was sent or changed, and trying again helps.
 * A database that is away fails in other ways.
 */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';
}

/**
 * Tells a busy database or a busy process from a database that is away: to the one who waits, both are a response that does not come. The
 * pools of a process share one watch.
 */
export interface DatabaseWatch {
  /** Notes that the database responded, on any connection. */
  noteResponse(): void;
  /**
   * Begins to wait for the database. Call the returned function when the wait was in vain: it returns true when the event loop was busy for
   * half of the time, or when the database responded on another connection meanwhile.
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
