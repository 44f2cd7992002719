import { createRoute } from '@tanstack/react-router';
import { signedInRoute } from '#shell/routes/account-route.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';
import { readUsersSearch } from './users-search.ts';

/** The routes of these pages. Each page is a chunk of its own. */
export const usersRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/users',
    validateSearch: readUsersSearch,
    component: lazyPage(['users', 'profile'], () => import('./users-page.tsx'), 'UsersPage'),
  }),
] as const;
