/**
 * Variables that a test must pass to a process with a separate environment, so that the process is
 * also limited to loopback (loopback-only.mjs).
 */
export const guardedEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  ['NODE_OPTIONS', 'ROSTER_TEST_OUTSIDE_REPORT'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
