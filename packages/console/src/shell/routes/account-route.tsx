import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router';
import { queryClient } from '#api/query-client.ts';
import { hasAccess, sessionQuery } from '#api/session.ts';
import { rootRoute } from './root-route.tsx';

/** The pages for people who are signed in. Others are sent to set-up or sign-in, and come back. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  // The pages for sign-in do not need the frame.
  component: lazyRouteComponent(() => import('../frame/account-shell.tsx'), 'AccountShell'),
  async beforeLoad({ location }) {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session.needs_set_up) throw redirect({ to: '/set-up' });
    const { person } = session;
    if (person === null) throw redirect({ to: '/sign-in', search: { return_to: location.href } });
    return { person };
  },
});

/** The pages of one account: `/accounts/1/…`. */
export const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/accounts/$accountId',
  params: {
    parse: ({ accountId }) => {
      if (!/^[1-9]\d{0,8}$/.test(accountId)) throw notFound();
      return { accountId: Number(accountId) };
    },
    stringify: ({ accountId }) => ({ accountId: String(accountId) }),
  },
  beforeLoad({ params, context }) {
    if (!hasAccess(context.person, params.accountId)) throw notFound();
  },
});
