import type { Feature } from '#platform/feature.ts';
import { hour } from '#platform/time/intervals.ts';
import { signUpRoutes } from './sign-up-routes.ts';
import { verifyRoutes } from './verify-routes.ts';
import { signUpOperations } from './operations.ts';
import { deleteSignUpsBefore } from './sign-up-store.ts';

/** Sign-ups with double opt-in. */
export const signUps: Feature = {
  name: 'sign-ups',
  routes: {
    operator: [signUpRoutes],
    open: [verifyRoutes],
  },
  operations: signUpOperations,
  upkeep: [{ interval: hour, run: ({ db, now }) => deleteSignUpsBefore(db, now()), deletesByAge: true }],
};
