import type { Feature } from '#platform/feature.ts';
import { savedViewRoutes } from './routes.ts';
import { deleteViewsOf } from './store.ts';
import { viewsUsingDerived } from './usage.ts';

/** Saved views: states of console pages, with a name. */
export const savedViews: Feature = {
  name: 'saved-views',
  routes: { operator: [savedViewRoutes] },
  attributeUses: viewsUsingDerived,
  onDeleteUser: deleteViewsOf,
};
