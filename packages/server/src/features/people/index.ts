import type { Feature } from '#platform/feature.ts';

/**
 * Finds a person in stored requests. Erasures and person exports use its functions; it adds nothing
 * to the service itself.
 */
export const people: Feature = { name: 'people' };
