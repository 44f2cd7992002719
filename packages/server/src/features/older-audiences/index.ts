import type { Feature } from '#platform/feature.ts';
import { olderAudienceRoutes } from './older-audience-routes.ts';

/** The older call that lists the lists and segments of an account (v4). */
export const olderAudiences: Feature = {
  name: 'older-audiences',
  routes: { apiKey: [olderAudienceRoutes] },
};
