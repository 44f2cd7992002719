/** Runs tasks, at most `limit` of them at the same time. The others wait for their turn. */
export function fewAtATime(limit: number): <T>(task: () => Promise<T>, signal: AbortSignal) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task, signal) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      // The row of a waiting task may have been scrolled away.
      signal.throwIfAborted();
      return await task();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}
