// Sends the deliveries in the database of DATABASE_URL, like a worker process does.
import { readConfig } from '#platform/config/config.ts';
import { createContext } from '#app/create-context.ts';
import { jobsOf } from '#platform/jobs/job-table.ts';
import { startJobRunner } from '#platform/jobs/runner.ts';

const context = createContext(readConfig({ ...process.env, LOG_LEVEL: 'silent' }), 'jobs');
startJobRunner(context, jobsOf(context.features));
