import { createRoute } from '@tanstack/react-router';
import { accountRoute } from '#shell/routes/account-route.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';
import { readHomeSearch } from './home-search.ts';

const getParentRoute = () => accountRoute;

/** The routes of these pages. Each page is a chunk of its own. */
export const homeRoutes = [
  createRoute({
    getParentRoute,
    path: '/',
    validateSearch: readHomeSearch,
    component: lazyPage('home', () => import('./home-page.tsx'), 'HomePage'),
  }),
] as const;
