/** What a test passes on to a process that gets an environment of its own, so that it stays on this machine too (loopback-only.mjs). */
export const guardedEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  ['NODE_OPTIONS', 'ROSTER_TEST_OUTSIDE_REPORT'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
