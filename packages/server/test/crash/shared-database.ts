import path from 'node:path';
import pino from 'pino';
import { freePort } from '@roster/embedded-postgres';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts';
import { onEnd, temporaryDirectory, type TemporaryDirectory } from './cleanup.ts';
import { killHard } from './processes.ts';
import { RosterProcess } from './roster-process.ts';
import { adminToken, firstApiKey, isReady, type Target } from './target.ts';
import { until } from './wait.ts';

/** One process of a deployment. */
export interface Part {
  readonly process: RosterProcess;
  readonly url: string;
}

/** The database of a deployment. Disposing it ends or deletes the database. */
export interface DatabaseOfDeployment extends AsyncDisposable {
  readonly url: string;
  /** See {@link Target.settled}. */
  settled?(): Promise<void>;
}

/** A deployment of several API and worker processes on one database. */
export class SharedDatabase implements Target, AsyncDisposable {
  readonly apis: Part[] = [];
  readonly workers: Part[] = [];
  readonly #directory: TemporaryDirectory;
  readonly #database: DatabaseOfDeployment;
  readonly #settings: Readonly<Record<string, string>>;

  private constructor(
    directory: TemporaryDirectory,
    database: DatabaseOfDeployment,
    settings: Readonly<Record<string, string>>,
  ) {
    this.#directory = directory;
    this.#database = database;
    this.#settings = settings;
  }

  /** Starts a database with its durable settings, and no processes yet. */
  static async start(): Promise<SharedDatabase> {
    const directory = await temporaryDirectory();
    const log = pino({ level: 'silent' });
    const postgres = await startEmbeddedPostgres({ dataDir: path.join(directory.path, 'database'), log });
    const forget = onEnd(() => killHard(postgres.pid ?? 0));
    const database = {
      url: postgres.url,
      async [Symbol.asyncDispose]() {
        await postgres.stop();
        forget();
      },
    };
    return new SharedDatabase(directory, database, {});
  }

  /** Uses a database that exists. `settings` are variables for all processes. */
  static async on(database: DatabaseOfDeployment, settings: Readonly<Record<string, string>>): Promise<SharedDatabase> {
    return new SharedDatabase(await temporaryDirectory(), database, settings);
  }

  async settled(): Promise<void> {
    await this.#database.settled?.();
  }

  get urls(): readonly string[] {
    return this.apis.map(({ url }) => url);
  }

  get complaints(): readonly string[] {
    return [...this.apis, ...this.workers].flatMap(({ process }) => process.complaints);
  }

  /** Starts this many processes of a role at once. Resolves when all are ready. */
  async add(role: 'api' | 'worker', count: number): Promise<void> {
    const parts = await Promise.all(Array.from({ length: count }, () => this.#startPart(role)));
    (role === 'api' ? this.apis : this.workers).push(...parts);
  }

  /**
   * Removes the first process of a role from the deployment, so that no more requests are sent to
   * it. Returns the process.
   */
  take(role: 'api' | 'worker'): RosterProcess {
    const part = (role === 'api' ? this.apis : this.workers).shift();
    if (part === undefined) throw new Error(`there is no ${role} process left`);
    return part.process;
  }

  /** Removes a given worker from the deployment. */
  remove(worker: RosterProcess): RosterProcess {
    const at = this.workers.findIndex(({ process }) => process === worker);
    if (at < 0) throw new Error('it is not a worker of the deployment');
    this.workers.splice(at, 1);
    return worker;
  }

  async #startPart(role: 'api' | 'worker'): Promise<Part> {
    const port = await freePort();
    const started = new RosterProcess({
      ROSTER_ROLE: role,
      DATABASE_URL: this.#database.url,
      // The processes share the files of exports and imports.
      ROSTER_DATA_DIR: path.join(this.#directory.path, 'data'),
      PORT: String(port),
      ROSTER_API_KEY: firstApiKey,
      ROSTER_ADMIN_TOKEN: adminToken,
      ...this.#settings,
    });
    const url = `http://127.0.0.1:${port}`;
    await until(`the ${role} process is ready`, 60_000, () => {
      if (started.hasEnded) throw new Error(`the ${role} process did not start:\n${started.complaints.join('\n')}`);
      return isReady(url);
    });
    return { process: started, url };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const parts = [...this.apis, ...this.workers];
    for (const part of parts) part.process.killGroup();
    await Promise.all(parts.map((part) => part.process.ended()));
    await this.#database[Symbol.asyncDispose]();
    this.#directory[Symbol.dispose]();
  }
}
