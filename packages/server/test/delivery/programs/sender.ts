// Sends the deliveries of the database in DATABASE_URL, as a worker process does, to receivers on this machine.
import { readConfig } from '../../../src/config/config.ts';
import { createContext } from '../../../src/context.ts';
import { jobHandlers } from '../../../src/jobs/job-handlers.ts';
import { startJobRunner } from '../../../src/jobs/runner.ts';

const context = createContext(readConfig({ ...process.env, LOG_LEVEL: 'silent' }), 'jobs');
startJobRunner(context, jobHandlers);
