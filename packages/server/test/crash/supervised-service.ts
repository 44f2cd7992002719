import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@roster/embedded-postgres';
import { onEnd, temporaryDirectory, type TemporaryDirectory } from './cleanup.ts';
import { descendants, isProgram, killHard, type ProcessInfo, processTable } from './processes.ts';
import type { Random } from './random.ts';
import { type Ending, RosterProcess } from './roster-process.ts';
import { adminToken, firstApiKey, isReady, type Target } from './target.ts';
import { until } from './wait.ts';

/** The processes of a service with an embedded PostgreSQL that can be killed. */
export const killKinds = [
  'worker',
  'worker with a backlog',
  'database',
  'api',
  'backend',
  'checkpointer',
  'walwriter',
  'service and database',
  'supervisor',
  'service',
] as const;

/**
 * One kind of kill. `service` means the supervisor, the API and the worker. `worker with a backlog`
 * is a worker with many waiting requests. `backend` is a PostgreSQL process that serves a
 * connection.
 */
export type KillKind = (typeof killKinds)[number];

/** The process ids of a service at one moment. */
interface Pids {
  readonly supervisor: readonly number[];
  readonly api: readonly number[];
  readonly worker: readonly number[];
  readonly database: readonly number[];
  /** The processes that serve a connection. If any are busy, only those. */
  readonly backends: readonly number[];
  readonly checkpointer: readonly number[];
  readonly walwriter: readonly number[];
  /** The server and all processes that it forked. */
  readonly wholeDatabase: readonly number[];
}

/** The options of a service. */
export interface ServiceOptions {
  /** The `host:port` to which callbacks may go. */
  readonly callbacksTo?: string;
  /** The directory for its data. Default: a temporary one. */
  readonly directory?: TemporaryDirectory;
}

/**
 * A real service on its own data directory: supervisor, API, worker, and embedded PostgreSQL with
 * durable settings.
 */
export class SupervisedService implements Target, AsyncDisposable {
  readonly urls: readonly string[];
  readonly #directory: TemporaryDirectory;
  readonly #forget: () => void;
  #process: RosterProcess | undefined;
  /** Every process that was ever seen, to find leaked ones at the end. */
  readonly #seen = new Set<number>();

  readonly #callbacksTo: string;

  private constructor(directory: TemporaryDirectory, port: number, callbacksTo: string) {
    this.#directory = directory;
    this.#callbacksTo = callbacksTo;
    this.urls = [`http://127.0.0.1:${port}`];
    this.#forget = onEnd(() => this.#killPostmaster());
  }

  /** Creates a data directory and starts a service on it. */
  static async start({ callbacksTo = '', directory }: ServiceOptions = {}): Promise<SupervisedService> {
    const service = new SupervisedService(directory ?? (await temporaryDirectory()), await freePort(), callbacksTo);
    await service.start();
    return service;
  }

  /** Starts the service, also again after it ended. Resolves when it is ready. */
  async start(): Promise<void> {
    await this.#process?.ended();
    const [url] = this.urls as [string];
    const service = new RosterProcess({
      ROSTER_DATA_DIR: this.#dataDir,
      ROSTER_ROLE: 'all',
      PORT: new URL(url).port,
      ROSTER_API_KEY: firstApiKey,
      ROSTER_ADMIN_TOKEN: adminToken,
      ROSTER_CALLBACK_ALLOW: this.#callbacksTo,
    });
    this.#process = service;
    await until('the service is ready', 60_000, async () => {
      if (service.hasEnded) throw new Error(`the service did not start:\n${service.complaints.join('\n')}`);
      return isReady(url);
    });
    await this.#pids();
  }

  get complaints(): readonly string[] {
    return this.#process?.complaints ?? [];
  }

  /**
   * Kills processes with SIGKILL, and returns how many. If the supervisor is among them, the
   * service is started again.
   */
  async kill(kind: KillKind, random: Random): Promise<number> {
    const pids = await this.#pids();
    const victims = {
      worker: pids.worker,
      'worker with a backlog': pids.worker,
      api: pids.api,
      database: pids.database,
      backend: pids.backends.length === 0 ? [] : [random.pick(pids.backends)],
      checkpointer: pids.checkpointer,
      walwriter: pids.walwriter,
      supervisor: pids.supervisor,
      service: [...pids.supervisor, ...pids.api, ...pids.worker],
      'service and database': [...pids.supervisor, ...pids.api, ...pids.worker, ...pids.database],
    }[kind];
    const killed = victims.filter((pid) => killHard(pid)).length;
    if (pids.supervisor.some((pid) => victims.includes(pid))) await this.start();
    return killed;
  }

  /** Pauses the worker, wherever it is in its work. Requests wait until the worker is killed. */
  async pauseWorker(): Promise<void> {
    for (const pid of (await this.#pids()).worker) process.kill(pid, 'SIGSTOP');
  }

  /** Pauses PostgreSQL with all its processes for some milliseconds. */
  async pauseDatabase(milliseconds: number): Promise<void> {
    const { wholeDatabase } = await this.#pids();
    signalAll(wholeDatabase, 'SIGSTOP');
    // Also pauses processes that were being forked during the first signal.
    signalAll((await this.#pids()).wholeDatabase, 'SIGSTOP');
    await sleep(milliseconds);
    signalAll((await this.#pids()).wholeDatabase, 'SIGCONT');
  }

  /** Stops the service like an operator does. */
  async stop(): Promise<Ending> {
    await this.#pids();
    return this.#process!.stop();
  }

  /** The processes of the service that still exist. After a stop there must be none. */
  async leftovers(): Promise<string[]> {
    const table = await processTable();
    return table.filter(({ pid }) => this.#seen.has(pid)).map(({ pid, command }) => `${pid} ${command}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process?.killGroup();
    await this.#process?.ended();
    for (const pid of (await this.#pids()).database) killHard(pid);
    await until('nothing of the service is left', 20_000, async () => (await this.leftovers()).length === 0);
    this.#directory[Symbol.dispose]();
    this.#forget();
  }

  get #dataDir(): string {
    return path.join(this.#directory.path, 'data');
  }

  async #pids(): Promise<Pids> {
    const table = await processTable();
    const supervisor = this.#process!.pid;
    const children = descendants(table, supervisor);
    const running = (name: string) => children.filter(({ command }) => isProgram(command, name)).map(({ pid }) => pid);
    // A server that outlives its service is not a child of the supervisor any more.
    const postmaster = this.#postmaster();
    const database = table.filter(({ pid }) => pid === postmaster);
    const serverProcesses = postmaster === undefined ? [] : descendants(table, postmaster);
    const backends = serverProcesses.filter(({ command }) => /^postgres: \S+: roster roster /.test(command));
    const busy = backends.filter(({ command }) => !command.endsWith(' idle'));
    for (const { pid } of [...children, ...database, ...serverProcesses]) this.#seen.add(pid);
    this.#seen.add(supervisor);
    return {
      supervisor: this.#process!.hasEnded ? [] : [supervisor],
      api: running('api'),
      worker: running('worker'),
      database: database.map(({ pid }) => pid),
      backends: (busy.length > 0 ? busy : backends).map(({ pid }) => pid),
      checkpointer: serverProcesses.filter(({ command }) => /^postgres: \S+: checkpointer/.test(command)).map(pidOf),
      walwriter: serverProcesses.filter(({ command }) => /^postgres: \S+: walwriter/.test(command)).map(pidOf),
      wholeDatabase: [...database, ...serverProcesses].map(pidOf),
    };
  }

  #killPostmaster(): void {
    const pid = this.#postmaster();
    if (pid !== undefined) killHard(pid);
  }

  /** The process id of the database server, if it runs. */
  #postmaster(): number | undefined {
    try {
      const cluster = path.join(this.#dataDir, 'postgres', 'cluster');
      const pid = Number(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
      // A killed server leaves its file behind, and another process can have the same id by now.
      const isOurs = process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cluster);
      return isOurs && pid > 1 ? pid : undefined;
    } catch {
      return undefined;
    }
  }
}

const pidOf = ({ pid }: ProcessInfo): number => pid;

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process ended in the meantime.
    }
  }
}
