import type { Feature } from '#platform/feature.ts';
import { hour } from '#platform/time/intervals.ts';
import { signUpOperations } from './operations.ts';
import { deleteSignUpsBefore } from './sign-up-store.ts';

/** Sign-ups with double opt-in. */
export const signUps: Feature = {
  name: 'sign-ups',
  operations: signUpOperations,
  upkeep: [{ interval: hour, run: ({ db, now }) => deleteSignUpsBefore(db, now()) }],
};
