import type { Feature } from '#platform/feature.ts';
import { hour } from '#platform/time/intervals.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { deliver } from './sending/deliver.ts';
import { forgetOldDeliveries } from './delivery-upkeep.ts';
import { createHostResolver } from './destination/resolve-host.ts';

/** Attempts that one process makes at the same time. Each waits up to 10 s for the receiver. */
export const deliveriesAtOnce = 24;

/** Callbacks: where they may go, how they are signed, sent and retried. */
export const callbacks: Feature = {
  name: 'callbacks',
  routes: { operator: [deliveryRoutes] },
  openContext: () => ({ resolveHost: createHostResolver() }),
  upkeep: [{ interval: hour, run: forgetOldDeliveries }],
  jobs: { deliver: { concurrency: deliveriesAtOnce, run: deliver } },
};
