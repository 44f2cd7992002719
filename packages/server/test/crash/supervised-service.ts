import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@roster/embedded-postgres';
import { onEnd, temporaryDirectory, type TemporaryDirectory } from './cleanup.ts';
import { descendants, killHard, type ProcessInfo, processTable } from './processes.ts';
import type { Random } from './random.ts';
import { type Ending, RosterProcess } from './roster-process.ts';
import { adminToken, firstApiKey, isReady, type Target } from './target.ts';
import { until } from './wait.ts';

/** What can be killed of a service with an embedded PostgreSQL. */
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

/** One kind of kill. `backend` is one process of the server that serves a connection, `checkpointer` and `walwriter` are two of its own, `worker with a backlog` one that has let requests pile up; `service` is the supervisor with the API and the worker. */
export type KillKind = (typeof killKinds)[number];

/** The processes of a service at one moment. */
interface Pids {
  readonly supervisor: readonly number[];
  readonly api: readonly number[];
  readonly worker: readonly number[];
  readonly database: readonly number[];
  /** Those that serve a connection, busy ones first. */
  readonly backends: readonly number[];
  readonly checkpointer: readonly number[];
  readonly walwriter: readonly number[];
  /** The server with everything that it forked. */
  readonly wholeDatabase: readonly number[];
}

/** What a service is started with. */
export interface ServiceOptions {
  /** Where callbacks may go; `host:port`. */
  readonly callbacksTo?: string;
  /** Directory for its data; default: a temporary one. */
  readonly directory?: TemporaryDirectory;
}

/** A real service on a data directory of its own: supervisor, API, worker and embedded PostgreSQL with its durable settings. */
export class SupervisedService implements Target, AsyncDisposable {
  readonly urls: readonly string[];
  readonly #directory: TemporaryDirectory;
  readonly #forget: () => void;
  #process: RosterProcess | undefined;
  /** Every process that was ever seen, to find leaked ones in the end. */
  readonly #seen = new Set<number>();

  readonly #callbacksTo: string;

  private constructor(directory: TemporaryDirectory, port: number, callbacksTo: string) {
    this.#directory = directory;
    this.#callbacksTo = callbacksTo;
    this.urls = [`http://127.0.0.1:${port}`];
    this.#forget = onEnd(() => this.#killPostmaster());
  }

  /** Makes a data directory and starts a service on it. */
  static async start({ callbacksTo = '', directory }: ServiceOptions = {}): Promise<SupervisedService> {
    const service = new SupervisedService(directory ?? (await temporaryDirectory()), await freePort(), callbacksTo);
    await service.start();
    return service;
  }

  /** Starts the service, again after it ended; resolves when it is ready. */
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

  /** Kills processes with SIGKILL; answers how many there were. The service is started again where it cannot do that by itself. */
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

  /** Stops the time of the worker, wherever it is in its work: requests pile up until it is killed. */
  async pauseWorker(): Promise<void> {
    for (const pid of (await this.#pids()).worker) process.kill(pid, 'SIGSTOP');
  }

  /** Stops the time of PostgreSQL and all of its processes, and lets it go on. */
  async pauseDatabase(milliseconds: number): Promise<void> {
    const { wholeDatabase } = await this.#pids();
    signalAll(wholeDatabase, 'SIGSTOP');
    // Processes that it was just forking.
    signalAll((await this.#pids()).wholeDatabase, 'SIGSTOP');
    await sleep(milliseconds);
    signalAll((await this.#pids()).wholeDatabase, 'SIGCONT');
  }

  /** Stops the service as an operator does. */
  async stop(): Promise<Ending> {
    await this.#pids();
    return this.#process!.stop();
  }

  /** The processes of the service that are still there; none after a stop. */
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
    const running = (program: string) =>
      children.filter(({ command }) => command.endsWith(program)).map(({ pid }) => pid);
    // A server that outlived its service is nobody's child here any more.
    const postmaster = this.#postmaster();
    const database = table.filter(({ pid }) => pid === postmaster);
    const serverProcesses = postmaster === undefined ? [] : descendants(table, postmaster);
    const backends = serverProcesses.filter(({ command }) => /^postgres: \S+: roster roster /.test(command));
    const busy = backends.filter(({ command }) => !command.endsWith(' idle'));
    for (const { pid } of [...children, ...database, ...serverProcesses]) this.#seen.add(pid);
    this.#seen.add(supervisor);
    return {
      supervisor: this.#process!.hasEnded ? [] : [supervisor],
      api: running('/processes/api.mts'),
      worker: running('/processes/worker.mts'),
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

  /** Process number of the database server, if there is one. */
  #postmaster(): number | undefined {
    try {
      const cluster = path.join(this.#dataDir, 'postgres', 'cluster');
      const pid = Number(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
      // A server that was killed leaves its file behind, and the number can belong to somebody else by now.
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
      // It has ended meanwhile.
    }
  }
}
