import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import { Pool } from 'undici';

/** The schema of the database in which Directus keeps its tables, and the collection `contacts`. */
const schema = 'directus';

/** A search of the collection `contacts`, as the REST interface of Directus takes it. */
export type DirectusFilter = Readonly<Record<string, object>>;

/** The answer of Directus to a search. */
export interface DirectusAnswer {
  readonly data: readonly { readonly id: number | string }[];
  readonly meta: { readonly filter_count: number };
}

/** A Directus with the contacts of account 1. */
export interface DirectusServer extends AsyncDisposable {
  /** Returns the ten newest contacts that a filter accepts, and their exact number. */
  search(filter: DirectusFilter): Promise<DirectusAnswer>;
}

/** Makes the collection from the contacts of account 1. It has the indexes that each Directus would have. */
export async function makeCollection(database: pg.Client): Promise<void> {
  await database.query(`
    create schema ${schema};
    create table ${schema}.contacts (
      id bigint primary key,
      contact_type varchar(255),
      email varchar(255),
      mobile varchar(255),
      first_name varchar(255),
      last_name varchar(255),
      city varchar(255),
      birth_date date,
      score integer,
      created_at timestamptz
    )`);
  await database.query(`
    insert into ${schema}.contacts
    select contact_id, contact_type::text, contact_key, mobile, attributes ->> '1.1', attributes ->> '1.2', attributes ->> '1.5',
      (attributes ->> '1.4')::date, (attributes ->> '1.11')::integer, created_at
    from contacts where account_id = 1`);
  for (const field of ['email', 'mobile', 'created_at']) await indexField(database, field);
  await vacuumCollection(database);
}

/** Gives a field the index that the setting of Directus makes. */
export async function indexField(database: pg.Client, field: string): Promise<void> {
  await database.query(`create index on ${schema}.contacts (${field})`);
}

/** Runs the vacuum that PostgreSQL would run some minutes later. */
export async function vacuumCollection(database: pg.Client): Promise<void> {
  await database.query(`vacuum (analyze) ${schema}.contacts`);
}

/** Options of {@link startDirectus}. */
export interface DirectusOptions {
  /** Where Directus is installed. */
  readonly directory: string;
  /** The Node.js program that runs it. */
  readonly node: string;
  readonly databaseUrl: string;
}

/** Starts Directus. It reports nothing to its makers, limits no rates and keeps no answers. */
export async function startDirectus({ directory, node, databaseUrl }: DirectusOptions): Promise<DirectusServer> {
  const storage = await mkdtemp(path.join(os.tmpdir(), 'roster-bench-directus-'));
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const [email, password] = ['admin@example.com', 'the-password-of-the-benchmark'];
  const env = {
    ...process.env,
    // Directus asks a registry for a newer version.
    NODE_OPTIONS: `--import=${import.meta.resolve('../packages/server/test/support/loopback-only.mjs')}`,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: databaseUrl,
    DB_SEARCH_PATH: `array:${schema}`,
    KEY: 'the-key-of-the-benchmark',
    SECRET: 'the-secret-of-the-benchmark',
    ADMIN_EMAIL: email,
    ADMIN_PASSWORD: password,
    ACCESS_TOKEN_TTL: '1d',
    STORAGE_LOCAL_ROOT: storage,
    EXTENSIONS_PATH: storage,
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
    PRESSURE_LIMITER_ENABLED: 'false',
    WEBSOCKETS_ENABLED: 'false',
  };
  const program = path.join(directory, 'node_modules/directus/cli.js');
  await promisify(execFile)(node, [program, 'bootstrap'], { cwd: directory, env });
  const child = spawn(node, [program, 'start'], { cwd: directory, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const pool = new Pool(`http://127.0.0.1:${port}`);

  async function call(request: { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: object }) {
    const answer = await pool.request({
      method: request.method,
      path: request.path,
      headers: {
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`Directus answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text) as object;
  }

  let token = '';
  for (;;) {
    if (child.exitCode !== null) throw new Error('Directus ended');
    const up = await fetch(`http://127.0.0.1:${port}/server/ping`).catch(() => undefined);
    if (up?.status === 200) break;
    await sleep(100);
  }
  const login = await call({ method: 'POST', path: '/auth/login', body: { email, password } });
  token = (login as { readonly data: { readonly access_token: string } }).data.access_token;
  return {
    async search(filter) {
      const query = new URLSearchParams({
        filter: JSON.stringify(filter),
        fields: 'id,email,mobile,first_name,city',
        sort: '-created_at,id',
        limit: '10',
        meta: 'filter_count',
      });
      return (await call({ method: 'GET', path: `/items/contacts?${query.toString()}` })) as DirectusAnswer;
    },
    async [Symbol.asyncDispose]() {
      await pool.close();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await rm(storage, { recursive: true, force: true });
    },
  };
}
