// Runs the pipeline of a worker process, without jobs and upkeep, on the database in DATABASE_URL.
// It runs until it is killed.
import { readConfig } from '#platform/config/config.ts';
import { createContext } from '#app/create-context.ts';
import { startWorker } from '#pipeline/worker/worker.ts';

startWorker(createContext(readConfig({ ...process.env, LOG_LEVEL: 'silent' }), 'worker'));
