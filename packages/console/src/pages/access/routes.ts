import { createRoute, redirect } from '@tanstack/react-router';
import { queryClient } from '#api/query-client.ts';
import { sessionQuery } from '#api/session.ts';
import { isLocal } from '#shell/routes/return-address.ts';
import { rootRoute } from '#shell/routes/root-route.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';
import { SignInPage } from './sign-in-page.tsx';

const getParentRoute = () => rootRoute;

/** The routes of these pages. Each page is a chunk of its own. */
export const accessRoutes = [
  createRoute({
    getParentRoute,
    path: '/sign-in',
    validateSearch: ({ return_to }: { return_to?: unknown }): { return_to?: string } =>
      typeof return_to === 'string' && isLocal(return_to) ? { return_to } : {},
    // A person who is signed in needs no sign-in.
    async beforeLoad({ search }) {
      const { person } = await queryClient.ensureQueryData(sessionQuery);
      if (person !== null) throw redirect({ href: `/console${search.return_to ?? '/'}`, replace: true });
    },
    // Part of the first files, because most visits begin here.
    component: lazyPage('access', () => Promise.resolve({ SignInPage }), 'SignInPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/signed-in-again',
    component: lazyPage('access', () => import('./signed-in-again-page.tsx'), 'SignedInAgainPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/set-up',
    component: lazyPage('access', () => import('./set-up-page.tsx'), 'SetUpPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/invitation',
    component: lazyPage('access', () => import('./invitation-page.tsx'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/reset-password',
    component: lazyPage('access', () => import('./reset-password-page.tsx'), 'ResetPasswordPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/new-password',
    component: lazyPage('access', () => import('./new-password-page.tsx'), 'NewPasswordPage'),
  }),
] as const;
