// Replaces the API or the worker under a supervisor. PART_<ROLE> sets the behaviour:
// - `dies`: ends at its start, without a message
// - `hangs`: does not stop
// - `breaks`: fails with a database error after it is ready
// - `ends-last`: stops only after the worker has stopped
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { onSupervisorMessage, sendToSupervisor } from '@roster/embedded-postgres';
import { runChild } from '#app/supervisor/child.ts';

const role = process.env['ROSTER_ROLE'] ?? '';
const behaviour = process.env[`PART_${role.toUpperCase()}`];

await runChild(async () => {
  if (behaviour === 'dies') process.exit(3);
  const note = async (event: string): Promise<void> => {
    const client = new pg.Client({ connectionString: process.env['DATABASE_URL'] });
    await client.connect();
    await client.query('insert into notes (role, event) values ($1, $2)', [role, event]);
    await client.end();
  };
  const workerHasStopped = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: process.env['DATABASE_URL'] });
    await client.connect();
    const { rowCount } = await client.query(`select from notes where role = 'worker' and event = 'stopped'`);
    await client.end();
    return rowCount !== 0;
  };
  await note('started');
  const stop = async (): Promise<void> => {
    if (behaviour === 'hangs') await new Promise(() => undefined);
    if (behaviour === 'ends-last') while (!(await workerHasStopped())) await sleep(10);
    await note('stopped');
  };
  if (behaviour === 'breaks') {
    const client = new pg.Client({ connectionString: process.env['DATABASE_URL'] });
    await client.connect();
    const fail = async (): Promise<void> => void (await client.query(`select 'jane@example.com'::int`));
    setTimeout(() => void fail(), 100);
  }
  if (role === 'worker') {
    const timer = setInterval(() => sendToSupervisor({ from: process.pid }), 50);
    return { [Symbol.asyncDispose]: () => stop().finally(() => clearInterval(timer)) };
  }
  let metrics: unknown;
  onSupervisorMessage((latest) => (metrics = latest));
  const server = createServer((_, response) => response.end(JSON.stringify({ pid: process.pid, metrics })));
  server.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: stop };
});
