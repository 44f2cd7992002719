/**
 * Waits for a promise for some milliseconds. If they are not enough, returns what `late` returns, or
 * throws what it throws. The work behind the promise continues, and its result is ignored.
 */
export async function within<T, Late>(
  milliseconds: number,
  promise: Promise<T>,
  late: () => Late,
): Promise<T | Awaited<Late>> {
  const timeout = Promise.withResolvers<Late>();
  const timer = setTimeout(() => {
    try {
      timeout.resolve(late());
    } catch (error) {
      timeout.reject(error);
    }
  }, milliseconds);
  try {
    return await Promise.race([promise, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
