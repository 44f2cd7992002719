import {
  RequestFailure,
  WaitedOutcome,
  AcceptedAnswer,
  ErrorAnswer,
  ErrorEntry,
  UserActivity,
  UserActivityAnswer,
  UserActivityErrorAnswer,
  type RecordActivitiesBody,
} from '@roster/contract';
import { operations } from '@roster/contract/operations';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { sql } from 'kysely';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createContacts, keepsAll, record, recorded } from '../activities/support.ts';
import { anyEdit } from '../fuzz/any-edit.ts';
import { applyEdit, type Edit } from '../fuzz/edits.ts';
import { printTree, treeOf } from '../fuzz/json-tree.ts';
import { testAdminToken } from '../support/context.ts';
import { cases, caseTimeout } from '../support/cases.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { requestData, send, words } from './support.ts';

const bodies = cases(300);

const complaints: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void complaints.push(line) });
const service = await forFile(startTestService({ log }));
await service.first.operator('PATCH', '', { settings: { rate_limit: 0, ...keepsAll } });
await createContacts(service.first, 'asha@example.com');
await recorded(service, service.first, [record({ occurred_at: '2026-06-03T10:00:00Z' })]);

const schemas = [ErrorEntry, UserActivity, RequestFailure, WaitedOutcome];
const ajv = new Ajv({ strict: false, validateFormats: false, schemas });
const shapes = {
  accepted: ajv.compile(AcceptedAnswer),
  refused: ajv.compile(ErrorAnswer),
  found: ajv.compile(UserActivityAnswer),
  notFound: ajv.compile(UserActivityErrorAnswer),
};

function expectShape(shape: keyof typeof shapes, body: unknown): void {
  expect(shapes[shape](body), ajv.errorsText(shapes[shape].errors)).toBe(true);
  // Words about internals, which no caller may see.
  expect(JSON.stringify(body)).not.toMatch(
    /node_modules|\.ts\b|postgres|pg_|kysely|fastify|FST_|SQLSTATE|\[object |undefined|NaN/i,
  );
}

const edits = fc.array(anyEdit, { minLength: 1, maxLength: 4 });
const edited = (value: unknown, changes: readonly Edit[]) => printTree(changes.reduce(applyEdit, treeOf(value)));

// An edit may cut a surrogate pair in two. The halves are sent as U+FFFD, as in the other forms.
const percentEncoded = (text: string): string => encodeURIComponent(text.toWellFormed());

test(
  `${bodies} hostile requests for the activity of a person get answers in the shape of apiv2`,
  { timeout: caseTimeout },
  async () => {
    const { apiKey } = service.first;
    // The ways in which clients send the data. The edits damage the object, the text around it, or
    // both.
    const forms: ((data: string, changes: readonly Edit[]) => string)[] = [
      (data) => `data=${data}`,
      (data) => `data=${percentEncoded(data)}`,
      (data) => `data=${JSON.stringify(data)}&x=1`,
      (data) => percentEncoded(`data=${data}`),
      (data) => `{"data":${data}}`,
      (data) => JSON.stringify({ data }),
      (data, changes) => edited({ ...words, apikey: apiKey, data }, changes),
      (data) => `${data}&data=${data}`,
      (data) =>
        `--${'x'.repeat(40)}\r\nContent-Disposition: form-data; name="data"\r\n\r\n${data}\r\n--${'x'.repeat(40)}--\r\n`,
      (data) => data,
    ];
    let found = 0;
    const property = fc.asyncProperty(
      fc.nat(forms.length - 1),
      fc.oneof(fc.constant([]), edits),
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(200) }),
      async (form, changes, junk, at) => {
        const text = forms[form]!(edited(requestData(), changes), changes);
        const body = at === undefined ? text : text.slice(0, at) + junk + text.slice(at);
        const query = form === 6 ? '' : new URLSearchParams({ ...words, apikey: apiKey }).toString();
        const answer = await send(service, query, Buffer.from(body));
        expect([200, 400, 401, 413]).toContain(answer.status);
        if (form !== 6) expect(answer.status).not.toBe(401);
        expectShape(answer.status === 200 ? 'found' : 'notFound', answer.body);
        if (answer.status === 200) found++;
      },
    );
    await fc.assert(property, { numRuns: bodies });
    expect(complaints).toEqual([]);
    expect(found).toBeGreaterThan(bodies / 20);
  },
);

test(
  `${bodies} hostile bodies of activities are accepted or refused, and the counts of accepted requests add up`,
  { timeout: caseTimeout },
  async () => {
    const { accountId } = service.first;
    const seeds = [
      ...Object.values(operations.recordActivities.examples!).map(({ value }) => (value as RecordActivitiesBody).data),
      [
        record({ id: 1 }),
        record({ id: 1, activity: 'spam' }),
        record({ identity: 'no address' }),
        record({ channel: 'SMS', id: 'x' }),
      ],
    ];
    const accepted: string[] = [];
    const property = fc.asyncProperty(fc.nat(seeds.length - 1), edits, fc.boolean(), async (seed, changes, asLines) => {
      const body = asLines
        ? seeds[seed]!.map((one, at) => (at === 0 ? edited(one, changes) : JSON.stringify(one))).join('\n')
        : edited({ data: seeds[seed] }, changes);
      const answer = await service.call('POST', `/admin/v1/accounts/${accountId}/activities`, {
        body: Buffer.from(body),
        headers: {
          authorization: `Bearer ${testAdminToken}`,
          'content-type': asLines ? 'application/x-ndjson' : 'application/json',
        },
      });
      expect([200, 400, 413]).toContain(answer.status);
      expectShape(answer.status === 200 ? 'accepted' : 'refused', answer.body);
      if (answer.status === 200) accepted.push(answer.body.request_id);
    });
    await fc.assert(property, { numRuns: bodies });
    await service.settled();
    expect(complaints).toEqual([]);
    expect(accepted.length).toBeGreaterThan(bodies / 20);
    const { rows } = await sql<{ wrong: number }>`
    select count(*) as wrong from requests left join request_results using (account_id, request_id)
    where operation = 'activity.record' and (status is distinct from 'done' or total <>
      (counts ->> 'created')::int + (counts ->> 'unchanged')::int + (counts ->> 'failed')::int)`.execute(
      service.context.db,
    );
    expect(rows).toEqual([{ wrong: 0 }]);
    const { rows: failures } = await sql`
    select from request_failures where code in ('internal', 'payload_unreadable')`.execute(service.context.db);
    expect(failures).toEqual([]);
  },
);
