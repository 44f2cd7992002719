import { execFileSync } from 'node:child_process';
import { scopes } from '@roster/contract';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EmbeddedPostgres } from '@roster/embedded-postgres';
import { startThrowawayPostgres } from '../../src/platform/database/embedded-postgres.ts';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';
import { json, type OpenApiDocument, operationsOf } from '#platform/http/openapi/document.ts';
import { type Conformance, conformanceTo } from '../support/conforms.ts';
import { isCluster, onSingleServerOnly } from '../support/cluster.ts';
import { testAdminToken } from '../support/context.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { words } from '../user-activity/support.ts';

// This file uses its own PostgreSQL server, because it pauses the server. On a cluster, it only locks
// tables, on all nodes.
let postgres: EmbeddedPostgres | undefined;
let database: TestDatabase | undefined;
let databaseUrl: string;
let service: TestService;
let document: OpenApiDocument;
let conforms: Conformance;
/** A key with every scope. */
let apiKey: string;
/** Log lines at level error. */
const errors: { code?: string; msg: string }[] = [];

beforeAll(async () => {
  if (isCluster) {
    database = await createTestDatabase();
    databaseUrl = database.url;
  } else {
    postgres = await startThrowawayPostgres({ max_connections: '200' });
    databaseUrl = postgres.url;
    await migrateToLatest(databaseUrl, pino({ level: 'silent' }));
  }
  // Enough connections for all requests of the test.
  const config = { databaseUrl, databasePoolSize: 160 };
  const serviceLog = pino({ level: 'error' }, { write: (line: string) => void errors.push(JSON.parse(line)) });
  service = await startTestService({ worker: false, config, log: serviceLog });
  apiKey = (await service.first.operator('POST', '/api-keys', { name: 'Everything', scopes: [...scopes] })).body
    .api_key;
  document = (await service.call('GET', '/openapi.json')).body as OpenApiDocument;
  conforms = conformanceTo(document);
}, 120_000);
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await postgres?.stop();
  await database?.[Symbol.asyncDispose]();
});

/** Returns the process ids of the PostgreSQL server. */
function processes({ pid: server }: EmbeddedPostgres): number[] {
  const children = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === server)
    .map(([pid]) => pid!);
  return [server!, ...children];
}

function signal(name: 'SIGSTOP' | 'SIGCONT', pids: readonly number[]): void {
  for (const pid of pids) process.kill(pid, name);
}

/** Opens the connections of both pools, and makes the service cache the API key. */
async function warmUp(): Promise<void> {
  const { pool, searchPool } = service.context;
  const clients: pg.PoolClient[] = [];
  // A few at a time, because a busy machine needs long for many.
  for (let opened = 0; opened < 75; opened += 5) {
    clients.push(
      ...(await Promise.all([pool, searchPool].flatMap((each) => Array.from({ length: 5 }, () => each.connect())))),
    );
  }
  for (const client of clients) client.release();
  for (const key of [service.first.apiKey, apiKey]) {
    expect((await service.first.v5('/contact/search', {}, { 'api-key': key })).status).toBe(200);
  }
}

interface Outcome {
  readonly call: string;
  readonly status: number;
  readonly retryAfter: unknown;
  readonly seconds: number;
}

async function timed(call: string, send: () => Promise<{ status: number; headers: object }>): Promise<Outcome> {
  const from = performance.now();
  const { status, headers } = await send();
  const retryAfter = (headers as Record<string, unknown>)['retry-after'];
  return { call, status, retryAfter, seconds: (performance.now() - from) / 1000 };
}

const ids: Readonly<Record<string, string>> = {
  account_id: '1',
  api_key_id: '99',
  contact_id: '1',
  audience_id: '1',
  attribute_id: '1',
  deleted_account_id: '1',
  invitation_id: '1',
  message_id: '1',
  user_id: '1',
};

/** Queries of operations that need one, by the method and the end of the path. */
const queries: readonly (readonly [method: string, end: string, query: string])[] = [
  ['delete', '/{contact_id}', 'mode=erase'],
  ['delete', '/{account_id}', 'name=Nobody'],
  ['get', '/{account_id}/contacts', 'find=failing'],
  ['get', '/messages/{message_id}/activities', 'activity=sent'],
];

/** The operations of people. The operator token is not a person, so it is refused. */
const ofPeople = /^\/admin\/v1\/(?:session|set-up|single-sign-on|password-resets|invitations|me)(?:\/|$)/;
const uuid = '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11';

/** Sends one valid request of every operation, all concurrently. */
async function sendEverything(): Promise<Outcome[]> {
  const credentials = { 'api-key': apiKey, authorization: `Bearer ${testAdminToken}` };
  const query = new URLSearchParams({ ...words, apikey: apiKey }).toString();
  const all = [...operationsOf(document)].filter(({ path }) => !ofPeople.test(path));
  const calls = all.map(({ path, method, operation }) => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? uuid);
    const own = queries.find(([one, end]) => one === method && path.endsWith(end))?.[2];
    const url = path === '/apiv2' ? `${path}?${query}` : own === undefined ? filled : `${filled}?${own}`;
    const { examples } = operation.requestBody?.content[json] ?? {};
    const body = Object.values(examples ?? {})[0]?.value;
    const isFile = operation.requestBody !== undefined && body === undefined;
    return timed(`${method} ${path}`, async () => {
      const answer = await service.call(method.toUpperCase(), url, {
        ...(isFile ? { body: 'EMAIL\na@example.com\n' } : body === undefined ? {} : { body }),
        // The older call for opt-outs has it in a header.
        headers: { ...credentials, primarykey: 'EMAIL', ...(isFile ? { 'content-type': 'text/csv' } : {}) },
      });
      conforms({ method: method.toUpperCase(), path: filled, status: answer.status, body: answer.body });
      return answer;
    });
  });
  const page = timed('verify', async () => service.call('GET', `/verify/${'x'.repeat(43)}`));
  const file = timed('file', async () => service.call('GET', `/files/exports/1/${uuid}.csv?expires=1&signature=x`));
  return Promise.all([...calls, page, file]);
}

function expectRefusals(outcomes: readonly Outcome[], most: number): void {
  expect(outcomes.length).toBeGreaterThan(60);
  for (const { call, status, retryAfter, seconds } of outcomes) {
    const expected = call.includes(' /v3/') ? [400, 503] : [503];
    expect(expected, `${call}: ${status} after ${seconds} s`).toContain(status);
    expect(Number(retryAfter), call).toBeGreaterThan(0);
    expect(seconds, call).toBeLessThan(most);
  }
}

/**
 * Expects that the service works again. Searches and writes have their own connections, so one can
 * work a moment before the other.
 */
async function expectRecovery(): Promise<void> {
  const body = { data: { contact_type: 'anonymous', contacts: [{}] } };
  const statuses = async () => [
    (await service.first.v5('/contact/search', {})).status,
    (await service.first.v5('/contact/create', body)).status,
    (await service.call('GET', '/readyz')).status,
  ];
  await expect.poll(statuses, { timeout: 30_000 }).toEqual([200, 200, 200]);
  expect(service.context.searches.running).toBe(0);
}

onSingleServerOnly('other tests use the servers of the cluster, so they cannot be paused')(
  'every operation returns 503 in time while PostgreSQL is paused, and /readyz within 3 s',
  async () => {
    await warmUp();
    const paused = processes(postgres!);
    signal('SIGSTOP', paused);
    try {
      const everything = sendEverything();
      // When all requests wait, this process is idle. Its own work then does not add to the measured
      // times.
      await new Promise((resolve) => setTimeout(resolve, 3000));
      const health = await Promise.all(
        ['/readyz', '/readyz', '/metrics', '/healthz'].map((path) =>
          timed(path, async () => service.call('GET', path)),
        ),
      );
      expect(health.map(({ status }) => status)).toEqual([503, 503, 200, 200]);
      for (const { call, seconds } of health) expect(seconds, call).toBeLessThan(3);
      expectRefusals(await everything, 25);
      // By now the cache has no key any more, and the pools have no connection.
      expectRefusals(await sendEverything(), 25);
      const again = await timed('/readyz', async () => service.call('GET', '/readyz'));
      expect([again.status, again.seconds < 3]).toEqual([503, true]);
    } finally {
      signal('SIGCONT', paused);
    }
    // Faults of the database are logged as errors. The timeouts of requests that they cause are not.
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['unavailable']));
    await expectRecovery();
  },
  180_000,
);

test('every operation returns 503 in time while another session locks every table', async () => {
  await using foreign = await lockedTables();
  const outcomes = await sendEverything();
  expectRefusals(outcomes, 25);
  const health = await timed('/readyz', async () => service.call('GET', '/readyz'));
  // On a cluster, the shards that it reads are not locked.
  expect([health.status, health.seconds < 3]).toEqual([isCluster ? 200 : 503, true]);
  await foreign[Symbol.asyncDispose]();
  await expectRecovery();
}, 180_000);

test('contact create returns 503 within 15 s while another session locks the table requests', async () => {
  await warmUp();
  await using foreign = await lockedTables('requests');
  errors.length = 0;
  const body = { data: { contact_type: 'anonymous', contacts: [{}] } };
  const headers = { 'idempotency-key': 'locked' };
  const outcomes = await Promise.all(
    [0, 2, 4, 6].flatMap((wait) =>
      [{}, headers].map(async (more) => {
        // Later requests wait for the first one.
        await new Promise((resolve) => setTimeout(resolve, wait * 1000));
        return timed(`after ${wait} s`, async () => service.first.v5('/contact/create', body, more));
      }),
    ),
  );
  for (const { call, status, retryAfter, seconds } of outcomes) {
    expect([call, status, Number(retryAfter) > 0]).toEqual([call, 503, true]);
    // The limit is 15 s. The rest is for a busy machine.
    expect(seconds, call).toBeLessThan(19);
  }
  expect(errors).toEqual([]);
  // Searches do not use the table.
  expect((await service.first.v5('/contact/search', {})).status).toBe(200);
  await foreign[Symbol.asyncDispose]();
  await expectRecovery();
  // The idempotency key is unused again, or belongs to the request that was stored in the end.
  expect((await service.first.v5('/contact/create', body, headers)).status).toBe(200);
}, 120_000);

/** Locks tables (default: all) exclusively from a separate session. */
async function lockedTables(...names: string[]): Promise<AsyncDisposable> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition`,
  );
  const tables = names.length > 0 ? names : rows.map(({ name }) => name);
  await client.query('begin');
  await client.query(`lock table ${tables.join(', ')} in access exclusive mode`);
  let isOpen = true;
  return {
    async [Symbol.asyncDispose]() {
      if (isOpen) await client.end();
      isOpen = false;
    },
  };
}
