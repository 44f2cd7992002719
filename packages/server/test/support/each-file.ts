// Runs before each test file. Property tests without a seed get the seed of the run (seed.ts), and
// print it when they fail. Test files share a process (vitest.config.ts), so changes to the
// environment are undone after each file.
import fc from 'fast-check';
import { afterAll, inject, vi } from 'vitest';
import { checkStatements } from './account-partitions.ts';

fc.configureGlobal({ seed: inject('testSeed') });
afterAll(() => void vi.unstubAllEnvs());
checkStatements();
