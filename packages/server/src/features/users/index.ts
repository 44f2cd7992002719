import type { Feature } from '#platform/feature.ts';
import { hour } from '#platform/time/intervals.ts';
import { createSignInLimits, forgetOldLimits } from './limits/sign-in-limits.ts';
import { addCreatorAsOwner } from './members/first-member.ts';
import { memberRoutes } from './routes/member-routes.ts';
import { forgetOldResets } from './password-resets/password-resets.ts';
import { createPasswords } from './passwords/passwords.ts';
import { credentialRoutes } from './routes/credential-routes.ts';
import { installationRoutes } from './routes/installation-routes.ts';
import { profileRoutes } from './routes/profile-routes.ts';
import { forgetEndedSessions } from './sessions/sessions.ts';
import { signInRoutes } from './routes/sign-in-routes.ts';
import { singleSignOnRoutes } from './routes/single-sign-on-routes.ts';
import { createIdentityProvider } from './single-sign-on/provider.ts';
import { forgetOldSteps } from './sign-in/steps.ts';

/** People who sign in: users, sessions, passwords, second factors and roles. */
export const users: Feature = {
  name: 'users',
  routes: {
    open: [signInRoutes, singleSignOnRoutes],
    operator: [profileRoutes, credentialRoutes, memberRoutes, installationRoutes],
  },
  onCreateAccount: addCreatorAsOwner,
  openContext: (context) => ({
    passwords: createPasswords(),
    signInLimits: createSignInLimits(context),
    identityProvider: createIdentityProvider(context.config),
  }),
  upkeep: [
    { interval: hour, run: forgetEndedSessions, deletesByAge: true },
    { interval: hour, run: forgetOldSteps, deletesByAge: true },
    { interval: hour, run: forgetOldLimits, deletesByAge: true },
    { interval: hour, run: forgetOldResets, deletesByAge: true },
  ],
};
