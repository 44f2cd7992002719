import { createRoute } from '@tanstack/react-router';
import { accountRoute } from '#shell/routes/account-route.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';

const getParentRoute = () => accountRoute;

/** The routes of these pages. Each page is a chunk of its own. */
export const audiencesRoutes = [
  createRoute({
    getParentRoute,
    path: '/audiences',
    component: lazyPage('audiences', () => import('./audiences-page.tsx'), 'AudiencesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/audiences/lists/$audienceId',
    component: lazyPage('audiences', () => import('./list-page.tsx'), 'ListPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/audiences/segments/$audienceId',
    component: lazyPage('audiences', () => import('./segment-page.tsx'), 'SegmentPage'),
  }),
] as const;
