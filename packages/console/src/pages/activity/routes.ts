import { createRoute } from '@tanstack/react-router';
import { accountRoute } from '#shell/routes/account-route.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';

const getParentRoute = () => accountRoute;

/** The routes of these pages. Each page is a chunk of its own. */
export const activityRoutes = [
  createRoute({
    getParentRoute,
    path: '/activity',
    component: lazyPage('activity', () => import('./activity-page.tsx'), 'ActivityPage'),
  }),
] as const;
