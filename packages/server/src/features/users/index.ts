import type { Feature } from '#platform/feature.ts';
import { hour } from '#platform/time/intervals.ts';
import { createSignInLimits, forgetOldLimits } from './limits/sign-in-limits.ts';
import { createPasswords } from './passwords/passwords.ts';
import { forgetEndedSessions } from './sessions/sessions.ts';
import { signInRoutes } from './sign-in/sign-in-routes.ts';
import { forgetOldSteps } from './sign-in/steps.ts';

/** People who sign in: users, sessions, passwords, second factors and roles. */
export const users: Feature = {
  name: 'users',
  routes: { open: [signInRoutes] },
  openContext: (context) => ({ passwords: createPasswords(), signInLimits: createSignInLimits(context) }),
  upkeep: [
    { interval: hour, run: forgetEndedSessions },
    { interval: hour, run: forgetOldSteps },
    { interval: hour, run: forgetOldLimits },
  ],
};
