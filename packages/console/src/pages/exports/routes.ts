import { createRoute } from '@tanstack/react-router';
import { accountRoute } from '#shell/routes/account-route.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';
import { readExportSearch, readNewExportSearch, readScheduleSearch } from './search.ts';

const getParentRoute = () => accountRoute;

/** The routes of these pages. Each page is a chunk of its own. */
export const exportsRoutes = [
  createRoute({
    getParentRoute,
    path: '/exports',
    validateSearch: readExportSearch,
    component: lazyPage('exports', () => import('./exports-page.tsx'), 'ExportsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/exports/new',
    validateSearch: readNewExportSearch,
    component: lazyPage(['exports', 'filter'], () => import('./new-export-page.tsx'), 'NewExportPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/exports/schedules',
    validateSearch: readScheduleSearch,
    component: lazyPage(
      ['exports', 'filter', 'merge'],
      () => import('./export-schedules-page.tsx'),
      'ExportSchedulesPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/exports/$requestId',
    component: lazyPage(['exports', 'filter'], () => import('./export-page.tsx'), 'ExportPage'),
  }),
] as const;
