import type { Feature } from '#platform/feature.ts';
import { hour } from '#platform/time/intervals.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { deliver } from './sending/deliver.ts';
import { ReceiverConnections } from './sending/receiver-connections.ts';
import { deleteOldDeliveries } from './delivery-upkeep.ts';
import { createHostResolver } from './destination/resolve-host.ts';

/** Attempts that one process makes at the same time. Each waits up to 10 s for the receiver. */
export const concurrentDeliveries = 24;

/** Callbacks: checks of their destination, signatures, sending and retries. */
export const callbacks: Feature = {
  name: 'callbacks',
  routes: { operator: [deliveryRoutes] },
  openContext: () => ({ resolveHost: createHostResolver(), receiverConnections: new ReceiverConnections() }),
  upkeep: [{ interval: hour, run: deleteOldDeliveries, deletesByAge: true }],
  jobs: { deliver: { concurrency: concurrentDeliveries, run: deliver } },
};
