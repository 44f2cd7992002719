// Sends the deliveries of the database in DATABASE_URL, as a worker process does, to receivers on this machine.
import { readConfig } from '#platform/config/config.ts';
import { createContext } from '#app/create-context.ts';
import { jobsOf } from '#platform/jobs/job-table.ts';
import { startJobRunner } from '#platform/jobs/runner.ts';

const context = createContext(readConfig({ ...process.env, LOG_LEVEL: 'silent' }), 'jobs');
startJobRunner(context, jobsOf(context.features));
