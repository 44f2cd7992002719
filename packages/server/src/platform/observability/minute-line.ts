import type { Logger } from 'pino';
import { minute } from '#platform/time/intervals.ts';

/** Counts events that are too frequent for a log line each. One line a minute has the counts. */
export interface MinuteLine<Name extends string> {
  /** Counts an event under each of its names. True for the first event since the last line. */
  count(...names: readonly Name[]): boolean;
  /** Writes a line with the counts since the last line. */
  flush(): void;
}

/** Makes a log line at level warn with a count for each name. A minute without events has none. */
export function createMinuteLine<Name extends string>(
  log: Logger,
  message: string,
  names: readonly Name[],
): MinuteLine<Name> {
  const counts = new Map<Name, number>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (counts.size === 0) return;
    log.warn(Object.fromEntries(names.map((name) => [name, counts.get(name) ?? 0])), message);
    counts.clear();
  }

  return {
    count(...counted) {
      const isFirst = counts.size === 0;
      for (const name of counted) counts.set(name, (counts.get(name) ?? 0) + 1);
      timer ??= setTimeout(flush, minute).unref();
      return isFirst;
    },
    flush,
  };
}
