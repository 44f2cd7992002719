import { createRoute } from '@tanstack/react-router';
import { readPeriod, type PeriodDays } from '#components/charts/period.ts';
import { accountRoute } from '#shell/routes/account-route.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';

const getParentRoute = () => accountRoute;

/** The routes of these pages. Each page is a chunk of its own. */
export const homeRoutes = [
  createRoute({
    getParentRoute,
    path: '/',
    validateSearch: ({ days }: Record<string, unknown>): { days?: PeriodDays | undefined } => ({
      days: readPeriod(days),
    }),
    component: lazyPage('home', () => import('./home-page.tsx'), 'HomePage'),
  }),
] as const;
