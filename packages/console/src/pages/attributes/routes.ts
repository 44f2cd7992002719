import { createRoute } from '@tanstack/react-router';
import { accountRoute } from '#shell/routes/account-route.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';
import { readAttributesSearch } from './attributes-search.ts';

const getParentRoute = () => accountRoute;

/** The routes of these pages. Each page is a chunk of its own. */
export const attributesRoutes = [
  createRoute({
    getParentRoute,
    path: '/attributes',
    validateSearch: readAttributesSearch,
    component: lazyPage(['attributes', 'filter', 'merge'], () => import('./attributes-page.tsx'), 'AttributesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/attributes/$attributeId',
    component: lazyPage(['attributes', 'filter', 'merge'], () => import('./attribute-page.tsx'), 'AttributePage'),
  }),
] as const;
