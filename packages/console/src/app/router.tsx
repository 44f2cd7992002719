import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { accessRoutes } from '#pages/access/routes.ts';
import { activityRoutes } from '#pages/activity/routes.ts';
import { attributesRoutes } from '#pages/attributes/routes.ts';
import { audiencesRoutes } from '#pages/audiences/routes.ts';
import { bulkChangesRoutes } from '#pages/bulk-changes/routes.ts';
import { contactsRoutes } from '#pages/contacts/routes.ts';
import { developersRoutes } from '#pages/developers/routes.ts';
import { exportsRoutes } from '#pages/exports/routes.ts';
import { homeRoutes } from '#pages/home/routes.ts';
import { importsRoutes } from '#pages/imports/routes.ts';
import { privacyRoutes } from '#pages/privacy/routes.ts';
import { profileRoutes } from '#pages/profile/routes.ts';
import { settingsRoutes } from '#pages/settings/routes.ts';
import { usersRoutes } from '#pages/users/routes.ts';
import { LoadingState } from '#components/states/loading-state.tsx';
import { lastAccountOf } from '#shell/account/last-account.ts';
import { accountRoute, signedInRoute } from '#shell/routes/account-route.tsx';
import { Failure, UnknownPage } from '#shell/routes/failure.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';
import { rootRoute } from '#shell/routes/root-route.tsx';

/** `/console` goes to the home page of the account that the person looked at last. */
const startRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  component: lazyPage('shell', () => import('./no-accounts.tsx'), 'NoAccounts'),
  beforeLoad({ context }) {
    const accountId = lastAccountOf(context.person);
    if (accountId !== undefined) throw redirect({ to: '/accounts/$accountId', params: { accountId } });
  },
});

const routeTree = rootRoute.addChildren([
  signedInRoute.addChildren([
    startRoute,
    ...profileRoutes,
    ...usersRoutes,
    accountRoute.addChildren([
      ...homeRoutes,
      ...contactsRoutes,
      ...bulkChangesRoutes,
      ...audiencesRoutes,
      ...attributesRoutes,
      ...importsRoutes,
      ...exportsRoutes,
      ...activityRoutes,
      ...developersRoutes,
      ...privacyRoutes,
      ...settingsRoutes,
    ]),
  ]),
  ...accessRoutes,
]);

/** The router of the console. */
export const router = createRouter({
  routeTree,
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  // Otherwise, a page that is loaded would wait until the loading state was shown for half a second.
  defaultPendingMinMs: 0,
  defaultPendingComponent: () => <LoadingState />,
  defaultErrorComponent: Failure,
  defaultNotFoundComponent: UnknownPage,
  scrollRestoration: true,
  trailingSlash: 'never',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
