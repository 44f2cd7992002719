import type { Feature } from '#platform/feature.ts';

/** The attributes of an account, for other features. It adds nothing to the service itself. */
export const registry: Feature = { name: 'registry' };
