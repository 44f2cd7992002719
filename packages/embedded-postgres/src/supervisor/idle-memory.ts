import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds between two looks at the load of this process. */
const interval = 10_000;

/** Share of the interval in which an idle process may have worked. */
const idleShare = 0.1;

/** Growth of the heap in bytes from which a collection pays. */
const worthwhile = 8 * 1024 * 1024;

/**
 * Returns memory to the system while this process is idle.
 *
 * By itself, Node keeps the heap that a start or a load needed: about 50 MB more than what is in
 * use. It collects garbage only when new objects are made.
 */
export function collectWhenIdle(): void {
  let load = performance.eventLoopUtilization();
  // The first collection always pays: it returns the memory of the start.
  let heapAfter = Number.NEGATIVE_INFINITY;
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const share = performance.eventLoopUtilization(now, load).utilization;
    load = now;
    if (share > idleShare || getHeapStatistics().total_heap_size < heapAfter + worthwhile) return;
    collectAll();
    heapAfter = getHeapStatistics().total_heap_size;
  };
  setInterval(look, interval).unref();
}

/**
 * Collects all garbage, and makes the young generation small again. Also frees compiled functions,
 * except those that V8 has optimized because they run often. A function is compiled again when it
 * is called.
 */
function collectAll(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  setFlagsFromString('--no-expose-gc');
  // The number of collections that a compiled function survives if it is not called.
  setFlagsFromString('--bytecode-old-age=1');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  setFlagsFromString('--bytecode-old-age=6');
}
