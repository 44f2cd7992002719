import { expect, test } from 'vitest';
import { scopes } from '@roster/contract';
import { json, type OpenApiDocument, operationsOf } from '#platform/http/openapi/document.ts';
import { runBulkChange } from '#features/bulk-changes/run/run-bulk-change.ts';
import { changed } from '../bulk-changes/support.ts';
import { putMembership } from '#features/users/store/membership-store.ts';
import { insertUser } from '#features/users/store/user-store.ts';
import { contactId, created } from '../erasures/support.ts';
import { deliver } from '../callbacks/support.ts';
import { writeDeadLetter } from '../event-subscriptions/support.ts';
import { writeMail } from '../mails/support.ts';
import { conformanceTo } from '../support/conforms.ts';
import { testAdminToken } from '../support/context.ts';
import { follow } from '../live-segments/support.ts';
import { forFile } from '../support/for-file.ts';
import { type Answer, startTestService } from '../support/service.ts';
import { words } from '../user-activity/support.ts';

/**
 * Values for the ids in paths. The value of `audience_id` depends on the path, so it is not here.
 */
const ids: Record<string, string> = { account_id: '1', api_key_id: '1', attribute_id: '5' };

// A fixed time, because dates in the examples that are in the future would be in the past some
// day.
const service = await forFile(
  startTestService({
    now: () => new Date('2026-01-31T09:00:00Z'),
    config: { trustProxy: ['127.0.0.1'] },
  }),
);
const all = { name: 'All scopes', scopes };
const apiKey: string = (await service.first.operator('POST', '/api-keys', all)).body.api_key;
const document = (await service.call('GET', '/openapi.json')).body as OpenApiDocument;
const conforms = conformanceTo(document);
const segment = await send('POST', '/admin/v1/accounts/1/segments', {
  name: 'Pune',
  filtering_criteria: [
    { condition_details: [{ field: 'list_id', field_category: 'audience', operation: 'equals', value: [1] }] },
  ],
});
const segmentId: number = segment.body.audience_id;
// Two owners, so that examples can change the role of one of them.
for (const [email, name] of [
  ['asha@example.com', 'Asha Rao'],
  ['noah@example.com', 'Noah Berg'],
] as const) {
  const user = await insertUser(service.context.db, { name, email, password_hash: null }, service.context.now());
  const rights = { role: 'owner', unmasked: false } as const;
  await putMembership(service.context.db, 1, user!.user_id, rights, service.context.now());
  ids['user_id'] = String(user!.user_id);
}
const invitation = { email: 'guest@example.com', role: 'viewer' };
ids['invitation_id'] = String((await send('POST', '/admin/v1/accounts/1/invitations', invitation)).body.invitation_id);
const attributes = { LANGUAGE: 5, NOT_THERE: 'x' };
const request = await service.first.createContacts([{ identity: 'failing@example.com', attributes }]);
expect(request.failures.length).toBeGreaterThan(0);
const closing = await service.createAccount({ name: 'Closing' });
await closing.operator('DELETE', '?name=Closing');
await send('PATCH', '/admin/v1/accounts/1', { settings: { events: true } });
ids['deleted_account_id'] = String(closing.accountId);
ids['request_id'] = request.request_id;
ids['mail_id'] = await writeMail(service.context);
ids['delivery_id'] = await deliver(service.context, 'https://hooks.example.com/roster');
ids['erasure_request_id'] = await erasedContact('gone@example.com');
ids['contact_id'] = String(await contactId(service.first, 'failing@example.com'));
const audience_details = { audience_type: 'list', audience_id: 1 };
const accepted = await send('POST', '/v4/audience/export', { audience_details, callback_details: {} });
ids['export_request_id'] = accepted.body.data.request_id;
const made = await send('POST', '/admin/v1/accounts/1/imports', {});
// The examples of recordActivities have this message.
ids['message_id'] = '4711';
ids['import_id'] = made.body.import_id;
{
  await using _jobs = service.startJobs({ bulk_change: runBulkChange });
  const change = await changed(service.first, {
    contact_ids: [999_999],
    action: { type: 'delete' },
    expected_count: 1,
  });
  ids['bulk_change_id'] = change.bulk_change_id;
}
const schedule = await send('POST', '/admin/v1/accounts/1/export-schedules', {
  name: 'All contacts',
  filter: {},
  timing: { every: 'day', at: '06:00' },
});
ids['schedule_id'] = schedule.body.schedule_id;
const subscription = await send('POST', '/admin/v1/accounts/1/event-subscriptions', {
  name: 'Warehouse',
  url: 'https://hooks.example.com/events',
});
const subscriptionId: string = subscription.body.subscription_id;
ids['subscription_id'] = subscriptionId;
ids['event-subscription_delivery_id'] = await writeDeadLetter(service.context, 1, subscriptionId);
await send('POST', `/admin/v1/accounts/1/export-schedules/${ids['schedule_id']}/run`);
const view = await send('POST', '/admin/v1/accounts/1/views', {
  name: 'Pune',
  page: 'contacts',
  state: {},
  shared: true,
});
ids['view_id'] = view.body.view_id;
// The failures of an import can be read only after it has ended.
await service.call('PUT', `/admin/v1/accounts/1/imports/${ids['import_id']}/file`, {
  body: Buffer.from('EMAIL\nno address\n'),
  headers: { authorization: `Bearer ${testAdminToken}`, 'content-type': 'text/csv' },
});
await using _jobs = service.startJobs();
while ((await service.first.operator('GET', `/imports/${ids['import_id']}`)).body.finished_at === null)
  await new Promise((resolve) => setImmediate(resolve));

/** Sends a request with both credentials, and checks the answer against the OpenAPI document. */
async function send(method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
  const credentials = { 'api-key': apiKey, authorization: `Bearer ${testAdminToken}`, ...headers };
  const parameters = new URLSearchParams({ ...words, apikey: credentials['api-key'] });
  const address = path === '/apiv2' ? `${path}?${parameters.toString()}` : path;
  const answer = await service.call(method, address, { body, headers: { primarykey: 'EMAIL', ...credentials } });
  conforms({ method, path, status: answer.status, body: answer.body });
  return answer;
}

/** Erases a contact, and returns the request_id of the erasure. */
async function erasedContact(identity: string): Promise<string> {
  const id = await created(service.first, { identity });
  const answer = await send('DELETE', `/admin/v1/accounts/1/contacts/${id}?mode=erase`);
  expect(answer.status).toBe(200);
  return answer.body.request_id;
}

/** Queries of operations that need one, by the method and the end of the path. */
const queries = [
  ['delete', '/contacts/{contact_id}', 'mode=erase'],
  ['get', '/{account_id}/contacts', 'find=failing'],
  ['get', '/messages/{message_id}/activities', 'activity=sent'],
] as const;

/** Returns the path of an operation with ids that exist, and the query that it needs. */
function requestPath(method: string, path: string): string {
  const query = queries.find(([one, end]) => one === method && path.endsWith(end))?.[2];
  return query === undefined ? filled(path) : `${filled(path)}?${query}`;
}
/**
 * The sign-in, and what people do with their own user. These need a browser with cookies. The tests
 * in `test/users` compare all their answers with the document.
 */
const personal = /^\/admin\/v1\/(?:session|set-up|set-up-links|single-sign-on|password-resets|invitations|me)(?:\/|$)/;

/** Returns the path of an operation with ids that exist. */
function filled(path: string): string {
  const audience = path.includes('/segments/') ? segmentId : 1;
  const noun = /\/(export|erasure|event-subscription)s\//.exec(path)?.[1];
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = name === 'audience_id' ? String(audience) : (ids[`${noun}_${name}`] ?? ids[name]);
    if (id === undefined) throw new Error(`${path}: add an id for {${name}} to the ids in this file`);
    return id;
  });
}

function described(
  ...methods: string[]
): { path: string; method: string; hasBody: boolean; examples: [string, unknown][] }[] {
  return [...operationsOf(document)]
    .filter(({ method, path }) => methods.includes(method) && !personal.test(path))
    .map(({ path, method, operation }) => ({
      path: requestPath(method, path),
      method: method.toUpperCase(),
      hasBody: operation.requestBody !== undefined,
      examples: Object.entries(operation.requestBody?.content[json]?.examples ?? {}).map(([name, { value }]) => [
        name,
        value,
      ]),
    }));
}

test('every request example of the OpenAPI document gets a documented success answer', async () => {
  // The examples of PATCH change data that other examples need, so they come last.
  for (const { path, method, examples } of [...described('post'), ...described('patch')]) {
    for (const [name, value] of examples) {
      const answer = await send(method, path, value);
      expect(answer.status, `${method} ${path} ${name}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    }
  }
  await service.settled();
});

test('every GET operation returns data, as documented', async () => {
  const { body: live } = await send('PATCH', `/admin/v1/accounts/1/segments/${segmentId}`, {
    filtering_criteria: [],
    live: true,
  });
  expect(live.live.state).toBe('filling');
  await follow(service.context, 1);
  // The answer of the events has no end.
  const key = await send('POST', '/admin/v1/accounts/1/api-keys', { name: 'Reader', scopes: ['requests:read'] });
  for (const { path, method } of described('get').filter((one) => !one.path.endsWith('/events'))) {
    const answer = await send(method, path, undefined, path.startsWith('/v5/') ? { 'api-key': key.body.api_key } : {});
    expect(answer.status, path).toBe(200);
    expect(answer.body.data ?? ['one'], path).not.toEqual([]);
  }
});

test('a search with every kind of output returns a documented answer', async () => {
  const output = {
    get_count: true,
    fields: ['contact_id', 'EMAIL', 'created_at', 'list_id'],
    pagination: { limit: 1 },
  };
  const answer = await send('POST', '/v5/contact/search', { output });
  expect(answer.body).toMatchObject({ count: expect.any(Number), next_cursor: expect.any(String) });
  expect((await send('POST', '/contact/search', { output })).status).toBe(200);
});

test('every operation refuses invalid credentials with a documented 401', async () => {
  let addresses = 0;
  for (const { path, method, examples } of described('get', 'post', 'patch', 'delete')) {
    // After a hundred failures, an address gets 429.
    const invalid = { 'api-key': 'nobody', authorization: 'Bearer nobody' };
    const headers = { ...invalid, 'x-forwarded-for': `192.0.2.${addresses++ % 250}` };
    const answer = await send(method, path, examples[0]?.[1], headers);
    expect(answer.status, `${method} ${path}`).toBe(401);
  }
});

test('every operation with a body refuses invalid bodies with documented errors', async () => {
  for (const { path, method } of described('post', 'patch').filter(({ hasBody }) => hasBody)) {
    expect((await send(method, path, 5)).status, path).toBe(400);
    expect((await send(method, path, '{"data":')).status, path).toBe(400);
    // apiv2 accepts every content type.
    const status = path === '/apiv2' ? 400 : 415;
    expect((await send(method, path, '{}', { 'content-type': 'text/csv' })).status, path).toBe(status);
    expect((await send(method, path, Buffer.alloc(16 * 1024 * 1024 + 1, ' '))).status, path).toBe(413);
  }
});

test('every operation on an account that does not exist returns a documented 404', async () => {
  for (const { path, method, examples } of described('get', 'post', 'patch', 'delete')) {
    if (!/accounts\/1(?:\/|$)/.test(path)) continue;
    const unknown = path.replace('/accounts/1', '/accounts/999');
    // The deletion of an account needs its name.
    const query = method === 'DELETE' && unknown.endsWith('/999') ? '?name=Nobody' : '';
    const answer = await send(method, unknown + query, examples[0]?.[1]);
    expect(answer.status, `${method} ${path}`).toBe(404);
  }
});

const deletedAttributes = {
  data: ['CUSTOMER_TIER', 'LOYALTY_TIER', 'LIFETIME_VALUE'].map((name) => ({ name, data_type: 'text' })),
};

test('operations with an API key return documented 405, 409 and 429 answers', async () => {
  const accept = { settings: { reject_existing_contacts: null } };
  expect((await send('PATCH', '/admin/v1/accounts/1', accept)).status).toBe(200);
  for (const { path, method, examples } of described('post')) {
    if (!/^\/(?:v[345]\/|apiv2$)/.test(path)) continue;
    expect((await service.call('PUT', path)).status).toBe(405);
    if (!('409' in document.paths[path]!['post']!.responses)) continue;
    const headers = { 'idempotency-key': 'one' };
    const other = examples[1]![1];
    // Create the attributes again that the first test has deleted.
    if (path.includes('/attribute/')) await service.first.apply('/client/attribute/create', deletedAttributes);
    expect((await send(method, path, examples[0]![1], headers)).status, path).toBe(200);
    expect((await send(method, path, other, headers)).status, path).toBe(409);
  }
  expect((await send('PATCH', '/admin/v1/accounts/1', { settings: { rate_limit: 1 } })).status).toBe(200);
  const statuses = [];
  for (let count = 0; count < 3; count++) statuses.push((await send('POST', '/v5/contact/search', {})).status);
  expect(statuses).toContain(429);
});

test('every DELETE operation returns a documented answer, even for an item in use', async () => {
  const contact = `/admin/v1/accounts/1/contacts/${ids['contact_id']}?mode=erase`;
  expect((await send('DELETE', contact)).status).toBe(200);
  expect((await send('DELETE', '/admin/v1/accounts/1/lists/1')).status).toBe(409);
  const { data: schedules } = (await send('GET', '/admin/v1/accounts/1/export-schedules')).body;
  for (const { schedule_id: id } of schedules) {
    expect((await send('DELETE', `/admin/v1/accounts/1/export-schedules/${id}`)).status).toBe(204);
  }
  expect((await send('DELETE', `/admin/v1/accounts/1/views/${ids['view_id']}`)).status).toBe(204);
  const segments = (await send('GET', '/admin/v1/accounts/1/segments')).body.data as { audience_id: number }[];
  // Later segments may use earlier ones.
  const paths = segments.map(({ audience_id }) => `/admin/v1/accounts/1/segments/${audience_id}`).reverse();
  paths.push('/admin/v1/accounts/1/lists/1', '/admin/v1/accounts/1/api-keys/1');
  paths.push(
    `/admin/v1/accounts/1/members/${ids['user_id']}`,
    `/admin/v1/accounts/1/invitations/${ids['invitation_id']}`,
    `/admin/v1/users/${ids['user_id']}/sessions`,
    `/admin/v1/users/${ids['user_id']}/two-factor`,
    `/admin/v1/users/${ids['user_id']}`,
  );
  paths.push(`/admin/v1/accounts/1/event-subscriptions/${ids['subscription_id']}`);
  for (const path of paths) expect((await send('DELETE', path)).status, path).toBe(204);
  const kinds = new Set(paths.map((path) => path.replace(/\d+$/, '')));
  // The others: the contact, a schedule, a view, and the account itself, which the tests need.
  expect(kinds.size + 4).toBe(described('delete').length);
});
