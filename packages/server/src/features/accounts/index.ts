import type { Feature } from '#platform/feature.ts';
import { hour } from '#platform/time/intervals.ts';
import { accountRoutes } from './account-routes.ts';
import { apiKeyRoutes } from './keys/api-key-routes.ts';
import { signingSecretRoutes } from './signing-secrets/signing-secret-routes.ts';
import { forgetOldDays } from './daily-limit/daily-limit.ts';

/** Accounts, with their settings, API keys, signing secrets and daily limits. */
export const accounts: Feature = {
  name: 'accounts',
  routes: { operator: [accountRoutes, apiKeyRoutes, signingSecretRoutes] },
  upkeep: [{ interval: hour, run: forgetOldDays }],
};
