/**
 * Variables that a test must pass to a process with a separate environment, so that the process is
 * also limited to loopback (loopback-only.mjs), and uses the cache of compiled code.
 */
export const guardedEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  ['NODE_OPTIONS', 'ROSTER_TEST_OUTSIDE_REPORT', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
