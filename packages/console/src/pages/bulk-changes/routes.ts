import { createRoute } from '@tanstack/react-router';
import { accountRoute } from '#shell/routes/account-route.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';

const getParentRoute = () => accountRoute;

/** The routes of bulk changes. Each page is a chunk of its own. */
export const bulkChangesRoutes = [
  createRoute({
    getParentRoute,
    path: '/contacts/bulk-changes',
    component: lazyPage('bulkChanges', () => import('./bulk-changes-page.tsx'), 'BulkChangesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/contacts/bulk-changes/$bulkChangeId',
    component: lazyPage(['bulkChanges', 'filter'], () => import('./bulk-change-page.tsx'), 'BulkChangePage'),
  }),
] as const;
