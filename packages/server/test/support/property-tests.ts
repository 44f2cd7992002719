// Runs before each test file: property tests that name no seed take that of the run (seed.ts), and print it when they fail.
import fc from 'fast-check';
import { inject } from 'vitest';

fc.configureGlobal({ seed: inject('testSeed') });
