import type { Feature } from '#platform/feature.ts';

/** Who is who in what is kept: it helps other features, and contributes nothing itself. */
export const people: Feature = { name: 'people' };
