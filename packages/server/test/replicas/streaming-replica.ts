import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { applicationFrom } from '../../../embedded-postgres/src/application/application.ts';
import { findCluster } from '../../../embedded-postgres/src/cluster/cluster-place.ts';
import { packagedBinaries, usableBinaries } from '../../../embedded-postgres/src/machine/binaries.ts';
import { freePort } from '../../../embedded-postgres/src/machine/free-port.ts';
import { query, quick, silent, temporaryDirectory, until } from '../../../embedded-postgres/test/support.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts';
import { preparedDirectory } from '../../../embedded-postgres/test/prepared-directory.ts';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';

/** A server that streams from another one. */
export interface StreamingReplica extends AsyncDisposable {
  readonly url: string;
  /** Starts the server, or starts it again, and waits until it accepts reads. */
  start(): Promise<void>;
  /** Sends a signal to all processes of the server. SIGKILL also waits for their end. */
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Sends a signal only to the process that accepts connections. */
  signalPostmaster(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Runs SQL on the replica. */
  sql(text: string): Promise<Record<string, unknown>[]>;
}

/** A primary server with a migrated database, and a replica that streams from it. */
export interface Replication extends AsyncDisposable {
  /** URL of the primary. */
  readonly url: string;
  readonly replica: StreamingReplica;
  /** Starts one more replica. `source` is the URL of the server that it streams from. */
  startReplica(source: string): Promise<StreamingReplica>;
  /** Stops the primary for ever. */
  stopPrimary(): Promise<void>;
}

/** Settings of both servers, so that the replica can follow. */
const settings = {
  ...quick,
  wal_level: 'replica',
  max_wal_senders: '4',
  wal_keep_size: '512MB',
  max_connections: '60',
};

/** A copy of a migrated and empty database, whose WAL a replica can follow. */
const streamingDirectory = (): ReturnType<typeof preparedDirectory> =>
  preparedDirectory('roster-streaming', async (dataDir) => {
    await using server = await startEmbeddedPostgres({ dataDir, log: silent, settings });
    await migrateToLatest(server.url, silent);
  });

/**
 * Starts a primary and a streaming replica. All servers begin with copies of the same stopped
 * database, as after a base backup.
 */
export async function startReplication(): Promise<Replication> {
  await using cleanup = new AsyncDisposableStack();
  const own = cleanup.use(await streamingDirectory());
  const primary = await startEmbeddedPostgres({ dataDir: own.path, log: silent, settings });
  let stopped: Promise<void> | undefined;
  const stopPrimary = (): Promise<void> => (stopped ??= Promise.resolve(primary[Symbol.asyncDispose]()));
  cleanup.defer(stopPrimary);
  const others = cleanup.use(new AsyncDisposableStack());
  const startOne = async (source: string): Promise<StreamingReplica> => others.use(await startReplica(source));
  const replica = await startOne(primary.url);
  const resources = cleanup.move();
  return {
    url: primary.url,
    replica,
    startReplica: startOne,
    stopPrimary,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function startReplica(source: string): Promise<StreamingReplica> {
  await using cleanup = new AsyncDisposableStack();
  const copy = cleanup.use(await streamingDirectory());
  const application = applicationFrom({ name: 'roster', database: 'roster' });
  const home = path.join(copy.path, 'postgres');
  const { cluster, user } = (await findCluster(home, application))!;
  const copyTo = cleanup.use(await temporaryDirectory(0o755));
  const binaries = await usableBinaries(await packagedBinaries(application), user, copyTo.path, application, silent);
  const signalFile = path.join(cluster, 'standby.signal');
  await writeFile(signalFile, '');
  if (user !== undefined) await chown(signalFile, user.uid, user.gid);

  const { hostname, port, username, password } = new URL(source);
  const ownPort = await freePort();
  const all: Readonly<Record<string, string>> = {
    ...settings,
    port: String(ownPort),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // Conflicts with the replay end reads soon.
    max_standby_streaming_delay: '200ms',
    wal_retrieve_retry_interval: '200ms',
    primary_conninfo: `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`,
  };
  const url = new URL(source);
  url.port = String(ownPort);
  let server: ChildProcess | undefined;
  function send(name: NodeJS.Signals): void {
    for (const pid of processesOf(server!.pid!)) {
      try {
        process.kill(pid, name);
      } catch {
        // The process has ended.
      }
    }
  }

  async function start(): Promise<void> {
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    server = spawn(binaries.postgres, ['-D', cluster, ...args], { ...user, stdio: 'ignore' });
    await until(
      () =>
        query(url.href, 'select').then(
          () => true,
          () => false,
        ),
      30_000,
    );
  }

  cleanup.defer(async () => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    send('SIGCONT');
    send('SIGKILL');
    await ended;
  });
  await start();
  const resources = cleanup.move();
  return {
    url: url.href,
    start,
    async signal(name) {
      const ended = once(server!, 'exit');
      send(name);
      if (name === 'SIGKILL') await ended;
    },
    signalPostmaster: (name) => void server!.kill(name),
    sql: (text) => query(url.href, text),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** The process ids of a PostgreSQL server. Each of its processes has its own process group. */
function processesOf(postmaster: number): number[] {
  const children = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === postmaster)
    .map(([pid]) => pid!);
  return [postmaster, ...children];
}
