import { createRoute } from '@tanstack/react-router';
import { accountRoute } from '#shell/routes/account-route.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';

/** Reads the address of the page of erasures: the erasure that is open. */
function readErasureSearch({ erasure }: Record<string, unknown>): { readonly erasure?: string } {
  return typeof erasure === 'string' && /^[0-9a-f-]{36}$/.test(erasure) ? { erasure } : {};
}

const getParentRoute = () => accountRoute;

/** The routes of these pages. Each page is a chunk of its own. */
export const privacyRoutes = [
  createRoute({
    getParentRoute,
    path: '/privacy',
    component: lazyPage('privacy', () => import('./privacy-page.tsx'), 'PrivacyPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/privacy/erasures',
    validateSearch: readErasureSearch,
    component: lazyPage('privacy', () => import('./erasures-page.tsx'), 'ErasuresPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/privacy/forgotten',
    component: lazyPage('privacy', () => import('./forgotten-page.tsx'), 'ForgottenPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/privacy/person-exports',
    component: lazyPage(['privacy', 'filter'], () => import('./person-exports-page.tsx'), 'PersonExportsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/privacy/retention',
    component: lazyPage(['privacy', 'merge'], () => import('./retention-page.tsx'), 'RetentionPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/privacy/sign-ups',
    component: lazyPage('privacy', () => import('./sign-ups-page.tsx'), 'SignUpsPage'),
  }),
] as const;
