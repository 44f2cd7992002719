import './packages/server/test/support/loopback-only.mjs';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['packages/server/test/support/global-setup.ts'],
    // Property tests try the same cases in every run, unless ROSTER_TEST_SEED says otherwise.
    setupFiles: ['packages/server/test/support/each-file.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What a test waits for may come late on a busy machine; the second that is the default is no measure of anything.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    // Tests that kill processes and wait for others depend on a machine that may be busy. The report names what passed only the second time: that is to
    // be mended, and holds nobody else up.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // Loading the service takes longer than most files of tests: the files that a process runs share it. So a test must leave nothing behind.
    isolate: false,
    // Two cores, and many tests wait for a time limit or another process.
    maxWorkers: 3,
  },
});
