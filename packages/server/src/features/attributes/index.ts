import type { Feature } from '#platform/feature.ts';
import { attributeOperations } from './changes/operations.ts';

/** The operations on attributes. */
export const attributes: Feature = { name: 'attributes', operations: attributeOperations };
