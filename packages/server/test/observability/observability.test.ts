import { Writable } from 'node:stream';
import Fastify from 'fastify';
import { sql } from 'kysely';
import pg from 'pg';
import pino from 'pino';
import { describe, expect, inject, test } from 'vitest';
import { createContext } from '#app/create-context.ts';
import { observabilityRoutes } from '#app/health/health.ts';
import { createMetrics } from '#platform/observability/metrics.ts';
import { sweepContacts } from '#features/contacts/sweeps/sweep.ts';
import { isCluster } from '../support/cluster.ts';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const lines: string[] = [];
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(chunk.toString());
    done();
  },
});
const service = await forFile(startTestService({ log: pino({ level: 'trace' }, sink) }));

const secret = 'asha.secret@example.com';
const create = (contact: object) => ({ data: { contact_type: 'identified', contacts: [contact] } });

describe('health and metrics', () => {
  test('/healthz and /readyz need no key, and /readyz shows the lag of the pipeline', async () => {
    expect((await service.call('GET', '/healthz')).body).toEqual({ status: 'ok' });
    await service.settled();
    expect((await service.call('GET', '/readyz')).body).toEqual({
      status: 'ok',
      pipeline: { waiting_requests: 0, lag_seconds: 0 },
      ...(isCluster ? { nodes: { reachable: inject('servers').length - 1, unreachable: 0 } } : {}),
    });
  });

  test('/metrics counts requests by route, accepted items and the backlog, without contact data', async () => {
    await service.first.apply('/contact/create', create({ identity: secret }));
    await service.call('GET', `/nowhere/${secret}`);
    const { status, headers, body } = await service.call('GET', '/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/plain');
    expect(body).toMatch(/roster_http_requests_total\{method="POST",route="\/v5\/contact\/create",status="200"\} 1/);
    expect(body).toMatch(/roster_http_requests_total\{method="GET",route="none",status="404"\} 1/);
    expect(body).toMatch(/roster_accepted_items_total\{operation="contact.create"\} 1/);
    expect(body).toMatch(/roster_pipeline_waiting_requests 0/);
    expect(body).toMatch(/roster_pipeline_oldest_seconds 0/);
    for (const pool of ['main', 'search']) {
      for (const user of ['api', 'worker']) {
        expect(body).toContain(`roster_pool_connections{user="${user}",pool="${pool}",state="wanted"} 0`);
      }
    }
    expect(body).toContain('roster_searches{state="running"} 0');
    expect(body).toMatch(/roster_http_request_seconds_bucket/);
    expect(body).not.toContain(secret);
  });

  test('/metrics combines the metrics of the worker with those of the API, and declares each name once', async () => {
    const counter = createMetrics();
    counter.applied.inc({ operation: 'contact.create', outcome: 'created' }, 7);
    const app = Fastify();
    const published = (await counter.registry.getMetricsAsJSON()) as unknown as object;
    const context = { ...service.context, metrics: createMetrics() };
    context.metrics.accepted.inc({ operation: 'contact.create' }, 9);
    observabilityRoutes(app, context, () => [JSON.parse(JSON.stringify(published)) as object]);
    const text = (await app.inject('/metrics')).payload;
    expect(text).toContain('roster_applied_items_total{operation="contact.create",outcome="created"} 7');
    expect(text).toContain('roster_accepted_items_total{operation="contact.create"} 9');
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]);
    expect(names.length).toBeGreaterThan(8);
    expect(new Set(names).size).toBe(names.length);
  });

  test('/metrics shows the number of waiting requests and items', async () => {
    await using idle = await startTestService({ worker: false });
    await idle.first.v5('/contact/create', { data: { contact_type: 'anonymous', contacts: [{}, {}, {}] } });
    const { body } = await idle.call('GET', '/metrics');
    expect(body).toMatch(/roster_pipeline_waiting_requests 1\n/);
    expect(body).toMatch(/roster_pipeline_waiting_items 3\n/);
  });

  test('the lag is the age of the oldest waiting request of all accounts, even with many requests', async () => {
    const now = new Date('2026-03-01T10:00:00Z');
    await using idle = await startTestService({ worker: false, now: () => now });
    const enqueue = (accountId: number, requests: number, at: string) =>
      sql`
      insert into request_queue (account_id, seq, request_id, total, payload_bytes, accepted_at)
      select ${accountId}, nextval('request_seq'), gen_random_uuid(), 1, 1, ${at}::timestamptz from generate_series(1, ${requests}::int)`.execute(
        idle.context.db,
      );
    await enqueue(1, 10_001, '2026-03-01T09:59:59Z');
    await enqueue(3, 1, '2026-03-01T09:00:00Z');
    await enqueue(2, 2, '2026-03-01T09:30:00Z');
    const { body } = await idle.call('GET', '/readyz');
    expect(body.pipeline.lag_seconds).toBe(3600);
    expect(body.pipeline.waiting_requests).toBeGreaterThanOrEqual(10_000);
    // The limit of the count is for each shard of a cluster.
    expect(body.pipeline.waiting_requests).toBeLessThanOrEqual(isCluster ? 10_003 : 10_000);
  });

  test('/readyz refers to the log when the database is reachable but a query fails', async () => {
    await using broken = await startTestService({ worker: false });
    await sql`alter table request_queue rename to gone`.execute(broken.context.db);
    const { status, body } = await broken.call('GET', '/readyz');
    expect(status).toBe(503);
    expect(body).toEqual({ status: 'unavailable', reason: expect.stringContaining('the log says why') });
  });

  test('without a database, /readyz and operations return 503, and /healthz and /metrics return 200', async () => {
    await using broken = await startTestService({ worker: false });
    const { first } = broken;
    expect((await first.v5('/contact/search', {})).status).toBe(200);
    const url = new URL(broken.context.config.databaseUrl!);
    const name = url.pathname.slice(1);
    url.pathname = '/postgres';
    const admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
    expect(await broken.call('GET', '/readyz')).toMatchObject({
      status: 503,
      body: { reason: 'the database cannot be reached' },
    });
    expect((await broken.call('GET', '/healthz')).status).toBe(200);
    expect((await broken.call('GET', '/metrics')).body).toMatch(/roster_pipeline_waiting_requests Nan/i);
    const answer = await broken.call('POST', '/v5/contact/create', {
      body: create({ identity: 'a@example.com' }),
      headers: { 'api-key': first.apiKey },
    });
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ code: 503, status: 'error', errors: [] });
    expect(answer.headers['retry-after']).toBe('1');
  });
});

describe('the log', () => {
  test('contains no key, token, body, address or value of a contact, even when requests fail', async () => {
    const { first, context } = service;
    lines.length = 0;
    await first.apply('/contact/create', create({ identity: secret, attributes: { CITY: 'Secretville' } }));
    await first.v5('/contact/create', create({ identity: secret, email: 'not-secretville' }));
    await first.v5('/contact/search', { filtering_criteria: [{ condition_details: [{ field: 'secretville' }] }] });
    await service.call('POST', `/v5/contact/${secret}`, { body: `{"${secret}"` });
    await service.call('GET', `/admin/v1/accounts/1/lists/${secret}`, {
      headers: { authorization: `Bearer ${testAdminToken}` },
    });
    // The error of PostgreSQL quotes the refused row.
    await sql`alter table contacts add constraint poison check (attributes ->> '1.5' <> 'Secretville2')`.execute(
      context.db,
    );
    const request = await first.apply(
      '/contact/create',
      create({ identity: `x.${secret}`, attributes: { CITY: 'Secretville2' } }),
    );
    await sql`alter table contacts drop constraint poison`.execute(context.db);
    expect(request.counts.failed).toBe(1);
    const log = lines.join('');
    expect(log).toContain('could not store an item');
    // A constraint of a shard has the number of the shard at its end.
    expect(log).toMatch(/"constraint":"poison(_\d+)?"/);
    expect(log).toContain('"route":"/v5/contact/create"');
    for (const word of [/secretville/i, /secret@/, new RegExp(first.apiKey), new RegExp(testAdminToken)])
      expect(log).not.toMatch(word);
  });
});

describe('the sweep of a deleted list', () => {
  test('removes the memberships from the contacts, and searches do not show the list even before', async () => {
    await using sweeping = await startTestService();
    const { first } = sweeping;
    const list = await first.createList('Gone');
    const contacts = Array.from({ length: 2500 }, (_, n) => ({
      identity: `${n}@example.com`,
      audience_details: [{ audience_id: n % 2 === 0 ? [1, list] : [1] }],
    }));
    for (let from = 0; from < contacts.length; from += 1000) {
      await first.createContacts(contacts.slice(from, from + 1000));
    }
    expect((await first.operator('GET', `/lists/${list}`)).body.member_count).toBe(1250);
    expect((await first.operator('DELETE', `/lists/${list}`)).status).toBe(204);
    const shown = await first.rows({ output: { fields: ['list_id'], pagination: { limit: 1000 } } });
    expect(shown.every((row) => JSON.stringify(row['list_id']) === '[1]')).toBe(true);
    const answer = await first.v5('/contact/audience/search', { audience_type: 'list', audience_id: list });
    expect(answer.body.errors).toMatchObject([{ code: 'not_found', field: 'audience_id[0]' }]);

    await using context = createContext(sweeping.context.config, 'worker');
    await sweepContacts(context, new AbortController().signal);
    const { rows } = await sql<{ stale: number; sweeps: number }>`
      select (select count(*) from contacts where list_ids && array[${list}::int]) as stale, (select count(*) from sweeps) as sweeps`.execute(
      context.db,
    );
    expect(rows).toEqual([{ stale: 0, sweeps: 0 }]);
    expect((await first.operator('GET', '/lists/1')).body.member_count).toBe(2500);
  });
});
