/**
 * Returns the processor time of `work` in this thread, in milliseconds. Other processes do not
 * affect it.
 */
export function cpuTime(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
