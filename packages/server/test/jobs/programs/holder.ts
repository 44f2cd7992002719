// Takes the jobs of the database in DATABASE_URL and never ends one; says the id of each delivery on standard output.
import { readConfig } from '../../../src/config/config.ts';
import { createContext } from '../../../src/create-context.ts';
import { deliveriesAtOnce } from '../../../src/delivery/index.ts';
import { startJobRunner } from '../../../src/jobs/runner.ts';

const context = createContext(readConfig({ ...process.env, LOG_LEVEL: 'silent' }), 'jobs');
startJobRunner(context, {
  deliver: {
    concurrency: deliveriesAtOnce,
    run: async (_context, { delivery_id }) => {
      process.stdout.write(`${delivery_id}\n`);
      await new Promise(() => undefined);
    },
  },
});
