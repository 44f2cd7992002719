import type { Feature } from '#platform/feature.ts';

/** The attributes of an account as other features read them; it contributes nothing itself. */
export const registry: Feature = { name: 'registry' };
