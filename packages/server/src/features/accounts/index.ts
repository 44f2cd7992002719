import type { Feature } from '#platform/feature.ts';
import { hour, minute } from '#platform/time/intervals.ts';
import { accountRoutes } from './account-routes.ts';
import { apiKeyRoutes } from './keys/api-key-routes.ts';
import { signingSecretRoutes } from './signing-secrets/signing-secret-routes.ts';
import { deletionRoutes } from './deletion/deletion-routes.ts';
import { restartDeletions } from './deletion/delete-account.ts';
import { runDeletion } from './deletion/run-deletion.ts';
import { forgetOldDays } from './daily-limit/daily-limit.ts';

/** Accounts, with their settings, API keys, signing secrets and daily limits. */
export const accounts: Feature = {
  name: 'accounts',
  routes: { operator: [accountRoutes, deletionRoutes, apiKeyRoutes, signingSecretRoutes] },
  upkeep: [
    { interval: hour, run: forgetOldDays, deletesByAge: true },
    { interval: minute, run: restartDeletions },
  ],
  // One at a time: it writes as fast as it can, and it is not urgent.
  jobs: { delete_account: { concurrency: 1, run: runDeletion } },
};
