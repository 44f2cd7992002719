import path from 'node:path';
import pg from 'pg';
import { freePort } from '@roster/embedded-postgres';
import { startThrowawayPostgres } from '../../src/platform/database/embedded-postgres.ts';
import { onEnd, temporaryDirectory } from '../crash/cleanup.ts';
import { descendants, killHard, processTable } from '../crash/processes.ts';
import { RosterProcess } from '../crash/roster-process.ts';
import { isReady } from '../crash/target.ts';
import { until } from '../crash/wait.ts';
import { startReceiver } from '../delivery/receiver.ts';

/** Operator token of the service. */
const adminToken = 'operator-token-of-the-fuzz-test-0123456789';

/** A whole service in processes of its own, with a database and a receiver of callbacks; disposing it ends and removes everything. */
export interface AttackedService extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly adminToken: string;
  /** Where callbacks may go. */
  readonly receiverUrl: string;
  /** A connection to its database, to look at what is stored. */
  readonly database: pg.Client;
  /** Lines of the log at level error and above, and what dying processes write. */
  readonly errorLines: readonly string[];
  /** The processes of the service, by role. */
  pids(): Promise<{ readonly api: number | undefined; readonly worker: number | undefined }>;
  /** True once the service has ended, which nothing may make it do. */
  readonly hasEnded: boolean;
}

/** Starts a service on an empty database that does not wait for the disk. */
export async function startAttackedService(): Promise<AttackedService> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await temporaryDirectory());
  const postgres = stack.use(await startThrowawayPostgres({ shared_buffers: '256MB' }));
  stack.defer(onEnd(() => killHard(postgres.pid ?? 0)));
  // It answers at once and remembers nothing.
  const receiver = stack.use(await startReceiver(undefined, { remembers: false }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const errorLines: string[] = [];
  const service = new RosterProcess(
    {
      DATABASE_URL: postgres.url,
      ROSTER_ROLE: 'all',
      ROSTER_DATA_DIR: path.join(directory.path, 'data'),
      ROSTER_ADMIN_TOKEN: adminToken,
      ROSTER_API_KEY: 'rk_first_account_of_the_fuzz_test_0123456789',
      ROSTER_CALLBACK_ALLOW: `127.0.0.1:${receiver.port}`,
      PORT: String(port),
      LOG_LEVEL: 'error',
    },
    (line) => {
      // Lines that are no JSON and do not belong to the greeting are those of a dying process.
      if (line.startsWith('{') || !/^( {2}|$)/.test(line)) errorLines.push(line);
    },
  );
  stack.defer(async () => {
    await service.stop();
  });
  await until('the service is ready', 60_000, () => {
    if (service.hasEnded) throw new Error(`the service did not start:\n${service.complaints.join('\n')}`);
    return isReady(url);
  });
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  stack.defer(() => database.end());
  const owned = stack.move();
  return {
    url,
    port,
    adminToken,
    receiverUrl: `http://127.0.0.1:${receiver.port}`,
    database,
    errorLines,
    get hasEnded() {
      return service.hasEnded;
    },
    async pids() {
      const children = descendants(await processTable(), service.pid);
      const running = (program: string) => children.find(({ command }) => command.endsWith(program))?.pid;
      return { api: running('/processes/api.mts'), worker: running('/processes/worker.mts') };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
