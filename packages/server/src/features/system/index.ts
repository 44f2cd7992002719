import type { Feature } from '#platform/feature.ts';
import { systemRoutes } from './system-routes.ts';

/** The state of the installation, for its administrators. */
export const system: Feature = { name: 'system', routes: { operator: [systemRoutes] } };
