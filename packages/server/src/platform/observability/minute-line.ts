import type { Logger } from 'pino';

/** Counts events that are too many, or mean too little, for a log line each: one line a minute has the counts. */
export interface MinuteLine<Name extends string> {
  /** Counts an event under each of its names. */
  count(...names: readonly Name[]): void;
  /** Writes what was counted since the last line. */
  flush(): void;
}

const minute = 60_000;

/** Makes a line of the log at level warn, with a number for each name; there is none for a minute without events. */
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
      for (const name of counted) counts.set(name, (counts.get(name) ?? 0) + 1);
      timer ??= setTimeout(flush, minute).unref();
    },
    flush,
  };
}
