import path from 'node:path';
import pg from 'pg';
import { freePort } from '@roster/embedded-postgres';
import { startThrowawayPostgres } from '../../src/platform/database/embedded-postgres.ts';
import { onEnd, temporaryDirectory } from '../crash/cleanup.ts';
import { descendants, isProgram, killHard, processTable } from '../crash/processes.ts';
import { RosterProcess } from '../crash/roster-process.ts';
import { isReady } from '../crash/target.ts';
import { until } from '../crash/wait.ts';
import { startReceiver } from '../callbacks/receiver.ts';

/** Operator token of the attacked service. */
const adminToken = 'operator-token-of-the-fuzz-test-0123456789';

/**
 * A whole service in its own processes, with a database and a receiver of callbacks. Dispose it to
 * end and remove everything.
 */
export interface AttackedService extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly adminToken: string;
  /** The address that callbacks may be sent to. */
  readonly receiverUrl: string;
  /** A connection to the database of the service, to check the stored data. */
  readonly database: pg.Client;
  /** Log lines at level error and above, and the output of dying processes. */
  readonly errorLines: readonly string[];
  /** The processes of the service, by role. */
  pids(): Promise<{ readonly api: number | undefined; readonly worker: number | undefined }>;
  /** True when the service has ended. No request may cause that. */
  readonly hasEnded: boolean;
}

/** Starts a service on an empty database whose commits do not wait for the disk. */
export async function startAttackedService(): Promise<AttackedService> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await temporaryDirectory());
  const postgres = stack.use(await startThrowawayPostgres({ shared_buffers: '256MB' }));
  stack.defer(onEnd(() => killHard(postgres.pid ?? 0)));
  // This receiver responds at once and keeps no request in memory.
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
      // A line that is neither JSON nor part of the banner comes from a dying process.
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
      const running = (name: string) => children.find(({ command }) => isProgram(command, name))?.pid;
      return { api: running('api'), worker: running('worker') };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
