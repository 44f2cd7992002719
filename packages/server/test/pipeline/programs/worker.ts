// The pipeline of a worker process, without its jobs and its upkeep, on the database in DATABASE_URL; it runs until it is killed.
import { readConfig } from '#platform/config/config.ts';
import { createContext } from '#app/create-context.ts';
import { startWorker } from '#pipeline/worker/worker.ts';

startWorker(createContext(readConfig({ ...process.env, LOG_LEVEL: 'silent' }), 'worker'));
