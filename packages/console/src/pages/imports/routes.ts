import { createRoute } from '@tanstack/react-router';
import { accountRoute } from '#shell/routes/account-route.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';
import { readListSearch, readWizardSearch } from './search.ts';

const getParentRoute = () => accountRoute;

/** The routes of these pages. Each page is a chunk of its own. */
export const importsRoutes = [
  createRoute({
    getParentRoute,
    path: '/imports',
    validateSearch: readListSearch,
    component: lazyPage('imports', () => import('./imports-page.tsx'), 'ImportsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/imports/new',
    validateSearch: readWizardSearch,
    component: lazyPage('imports', () => import('./new-import-page.tsx'), 'NewImportPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/imports/$importId',
    component: lazyPage('imports', () => import('./import-page.tsx'), 'ImportPage'),
  }),
] as const;
