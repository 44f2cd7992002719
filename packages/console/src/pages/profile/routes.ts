import { createRoute } from '@tanstack/react-router';
import { signedInRoute } from '#shell/routes/account-route.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';

const getParentRoute = () => signedInRoute;

/** The routes of these pages. Each page is a chunk of its own. */
export const profileRoutes = [
  createRoute({
    getParentRoute,
    path: '/profile',
    component: lazyPage('profile', () => import('./profile-page.tsx'), 'ProfilePage'),
  }),
] as const;
