import { createRoute } from '@tanstack/react-router';
import { accountRoute } from '#shell/routes/account-route.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';
import { readContactsSearch } from './contacts-search.ts';
import { readContactSearch } from './contact/contact-search.ts';

const getParentRoute = () => accountRoute;

/** The routes of these pages. Each page is a chunk of its own. */
export const contactsRoutes = [
  createRoute({
    getParentRoute,
    path: '/contacts',
    validateSearch: readContactsSearch,
    component: lazyPage(['contacts', 'filter'], () => import('./contacts-page.tsx'), 'ContactsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/contacts/$contactId',
    validateSearch: readContactSearch,
    component: lazyPage(['contact', 'filter', 'merge'], () => import('./contact-page.tsx'), 'ContactPage'),
  }),
] as const;
