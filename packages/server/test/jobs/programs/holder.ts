// Takes the jobs of the database in DATABASE_URL and never ends one. Prints the id of each
// delivery.
import { readConfig } from '#platform/config/config.ts';
import { createContext } from '#app/create-context.ts';
import { concurrentDeliveries } from '#features/callbacks/index.ts';
import { startJobRunner } from '#platform/jobs/runner.ts';

const context = createContext(readConfig({ ...process.env, LOG_LEVEL: 'silent' }), 'jobs');
startJobRunner(context, {
  deliver: {
    concurrency: concurrentDeliveries,
    run: async (_context, { delivery_id }) => {
      process.stdout.write(`${delivery_id}\n`);
      await new Promise(() => undefined);
    },
  },
});
