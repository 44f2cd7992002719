import type { Feature } from '#platform/feature.ts';
import { second } from '#platform/time/intervals.ts';
import { findContactsRoutes } from './find/find-routes.ts';
import { blacklistRoutes } from './routes/blacklist-routes.ts';
import { contactMoveRoutes } from './routes/move-routes.ts';
import { contactSearchRoutes } from './routes/search-routes.ts';
import { contactWriteRoutes } from './routes/write-routes.ts';
import { contactBatchModel } from './batch/batch-model.ts';
import { contactOperations } from './operations/contact-operations.ts';
import { sweepContacts } from './sweeps/sweep.ts';

/** Contacts: their routes, the operations that write them, and the sweeps in the background. */
export const contacts: Feature = {
  name: 'contacts',
  routes: {
    operator: [contactMoveRoutes, findContactsRoutes],
    apiKey: [contactWriteRoutes, contactSearchRoutes],
    v3: [blacklistRoutes],
  },
  operations: contactOperations,
  batchModel: contactBatchModel,
  upkeep: [{ interval: second, run: sweepContacts }],
};
