// A supervisor with test programs instead of the API and the worker. Prints its URL and process ids
// as one line of JSON, and runs until SIGTERM or SIGINT.
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { readConfig } from '#platform/config/config.ts';
import { describeFailure } from '#app/supervisor/failure.ts';
import { startSupervisor } from '#app/supervisor/supervisor.ts';

const { env, settings } = JSON.parse(process.argv[2] ?? '') as {
  env: Record<string, string>;
  settings: Record<string, string>;
};
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());
const part = path.join(import.meta.dirname, 'part.ts');
try {
  await using supervisor = await startSupervisor({
    config: readConfig(env),
    log: pino({ level: env['SUPERVISOR_LOG'] ?? 'silent' }),
    adminToken: 'the-operator-token-of-all-the-tests',
    env: { ...process.env, ...env },
    signal: stopping.signal,
    programs: { api: part, worker: part },
    embedded: { settings },
    prepare: async (databaseUrl) => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      await client.query(
        'create table if not exists notes (id bigint generated always as identity, role text, event text)',
      );
      await client.end();
    },
  });
  process.stdout.write(`${JSON.stringify({ url: supervisor.url, ...supervisor.pids })}\n`);
  await new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
} catch (error) {
  if (!stopping.signal.aborted) {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = 1;
  }
}
