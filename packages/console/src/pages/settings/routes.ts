import { createRoute } from '@tanstack/react-router';
import { accountRoute } from '#shell/routes/account-route.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';
import { readAuditLogSearch } from './audit-log-search.ts';

const getParentRoute = () => accountRoute;

/** The routes of these pages. Each page is a chunk of its own. */
export const settingsRoutes = [
  createRoute({
    getParentRoute,
    path: '/settings',
    component: lazyPage('settings', () => import('./settings-page.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/account',
    component: lazyPage(
      // The attributes have the words for the places that use an attribute.
      ['settings', 'merge', 'attributes'],
      () => import('./account-settings-page.tsx'),
      'AccountSettingsPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/members',
    component: lazyPage('settings', () => import('./members-page.tsx'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/single-sign-on',
    component: lazyPage('settings', () => import('./single-sign-on-page.tsx'), 'SingleSignOnPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/audit-log',
    validateSearch: readAuditLogSearch,
    component: lazyPage(['settings', 'auditLog'], () => import('./audit-log-page.tsx'), 'AuditLogPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/system',
    component: lazyPage('settings', () => import('./system-page.tsx'), 'SystemPage'),
  }),
] as const;
