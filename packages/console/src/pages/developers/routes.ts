import { createRoute } from '@tanstack/react-router';
import { accountRoute } from '#shell/routes/account-route.tsx';
import { lazyPage } from '#shell/routes/lazy-page.tsx';
import {
  readDeliveriesSearch,
  readFeedSearch,
  readMailsSearch,
  readRequestSearch,
  readRequestsSearch,
} from './searches.ts';

const getParentRoute = () => accountRoute;

/** The routes of these pages. Each page is a chunk of its own. */
export const developersRoutes = [
  createRoute({
    getParentRoute,
    path: '/developers',
    component: lazyPage('developers', () => import('./developers-page.tsx'), 'DevelopersPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/api-keys',
    component: lazyPage('developers', () => import('./api-keys-page.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/requests',
    validateSearch: readRequestsSearch,
    component: lazyPage('developers', () => import('./requests-page.tsx'), 'RequestsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/requests/$requestId',
    validateSearch: readRequestSearch,
    component: lazyPage('developers', () => import('./request-page.tsx'), 'RequestPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/deliveries',
    validateSearch: readDeliveriesSearch,
    component: lazyPage('developers', () => import('./deliveries-page.tsx'), 'DeliveriesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/deliveries/$deliveryId',
    component: lazyPage('developers', () => import('./delivery-page.tsx'), 'DeliveryPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/subscriptions',
    component: lazyPage(['developers', 'filter'], () => import('./events/subscriptions-page.tsx'), 'SubscriptionsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/subscriptions/$subscriptionId',
    component: lazyPage(['developers', 'filter'], () => import('./events/subscription-page.tsx'), 'SubscriptionPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/events',
    validateSearch: readFeedSearch,
    component: lazyPage(['developers', 'filter'], () => import('./events/feed-page.tsx'), 'FeedPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/mails',
    validateSearch: readMailsSearch,
    component: lazyPage('developers', () => import('./mails-page.tsx'), 'MailsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/signing-secret',
    component: lazyPage('developers', () => import('./signing-secret-page.tsx'), 'SigningSecretPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/api-reference',
    component: lazyPage('developers', () => import('./api-reference-page.tsx'), 'ApiReferencePage'),
  }),
] as const;
