import './packages/server/test/support/loopback-only.mjs';
import { defineConfig } from 'vitest/config';
import { LongFilesFirst } from './packages/server/test/support/long-files-first.ts';

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['packages/server/test/support/global-setup.ts'],
    // Property tests use the same cases in every run, unless ROSTER_TEST_SEED is set.
    setupFiles: ['packages/server/test/support/each-file.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // On a busy machine, the default of one second is too short.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    // Tests that kill processes can fail on a busy machine. In CI, a failed test runs twice. The
    // report names tests that passed only the second time. Fix these.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // Loading the service takes longer than most test files, so the files of a process share it.
    // A test must not change shared state.
    isolate: false,
    sequence: { sequencer: LongFilesFirst },
    // One more than the two cores, because many tests wait for a time limit or another process. Each
    // worker loads the service once more: five took a sixth more processor time.
    maxWorkers: 3,
  },
});
