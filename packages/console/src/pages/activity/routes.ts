import { createRoute } from '@tanstack/react-router';
import { readActivitySearch } from './activity-search.ts';
import { accountRoute } from '#shell/routes/account-route.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';

const getParentRoute = () => accountRoute;

/** The routes of these pages. Each page is a chunk of its own. */
export const activityRoutes = [
  createRoute({
    getParentRoute,
    path: '/activity',
    validateSearch: readActivitySearch,
    component: lazyPage('activity', () => import('./activity-page.tsx'), 'ActivityPage'),
  }),
] as const;
