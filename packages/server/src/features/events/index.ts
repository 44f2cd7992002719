import type { Feature } from '#platform/feature.ts';
import { minute } from '#platform/time/intervals.ts';
import { eventPart } from './batch-part.ts';
import { eventRoutes } from './event-routes.ts';
import { deleteOldEvents } from './event-retention.ts';
import { markSwitch } from './event-switch.ts';

/** The event feed: changes of contacts, for other systems. */
export const events: Feature = {
  name: 'events',
  routes: { operator: [eventRoutes] },
  batchParts: { events: eventPart },
  onChangeAccount: markSwitch,
  upkeep: [{ interval: minute, run: deleteOldEvents, deletesByAge: true }],
};
