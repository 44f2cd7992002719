import { createRoute } from '@tanstack/react-router';
import { accountRoute } from '#shell/routes/account-route.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';
import { readAudienceSearch, readAudiencesSearch } from './audiences-search.ts';

const getParentRoute = () => accountRoute;

/** The routes of these pages. Each page is a chunk of its own. */
export const audiencesRoutes = [
  createRoute({
    getParentRoute,
    path: '/audiences',
    validateSearch: readAudiencesSearch,
    component: lazyPage(['audiences', 'filter', 'merge'], () => import('./audiences-page.tsx'), 'AudiencesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/audiences/lists/$audienceId',
    validateSearch: readAudienceSearch,
    component: lazyPage(['audiences', 'filter', 'merge'], () => import('./list-page.tsx'), 'ListPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/audiences/segments/$audienceId',
    validateSearch: readAudienceSearch,
    component: lazyPage(['audiences', 'filter', 'merge'], () => import('./segment-page.tsx'), 'SegmentPage'),
  }),
] as const;
