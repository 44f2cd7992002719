// Runs before each file of tests: property tests that name no seed take that of the run (seed.ts), and print it when they fail. Files share a
// process (vitest.config.ts): what one of them sets in the environment is gone for the next.
import fc from 'fast-check';
import { afterAll, inject, vi } from 'vitest';

fc.configureGlobal({ seed: inject('testSeed') });
afterAll(() => void vi.unstubAllEnvs());
