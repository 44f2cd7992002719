import { expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type Answer, type TestAccount } from '../support/service.ts';

const service = await forFile(startTestService());

const success = { requestid: expect.stringMatching(/^[0-9a-f]{32}$/), result: 'Success' };
const person = { EMAIL: 'asha@example.com', FIRST_NAME: 'Asha', MOBILE: '919812345678', AGE: 30, SINCE: '30-10-2019' };

async function newAccount(settings: object = { auto_create_attributes: true }): Promise<TestAccount> {
  const account = await service.createAccount();
  expect((await account.operator('PATCH', '', { settings })).status).toBe(200);
  return account;
}

/** Sends a call with its parameters in the query, by POST or GET. */
function call(
  { apiKey }: Pick<TestAccount, 'apiKey'>,
  activity: string,
  parameters: Record<string, string> = {},
  method: 'POST' | 'GET' = 'POST',
  type = 'contact',
): Promise<Answer> {
  const query = new URLSearchParams({ type, activity, apikey: apiKey, ...parameters });
  return service.call(method, `/apiv2?${query.toString()}`);
}

const found = (account: TestAccount, identity: string, ...fields: string[]) =>
  account.rows({
    filtering_criteria: [{ condition_details: [{ field: 'identity', operation: 'equals', value: identity }] }],
    output: { fields: ['EMAIL', 'MOBILE', 'FIRST_NAME', 'list_id', ...fields] },
  });

test('add creates or updates a contact in a list, however the parameters are sent', async () => {
  const account = await newAccount();
  const list = await account.createList('News');
  const data = JSON.stringify(person);
  const words = `type=contact&activity=add&apikey=${account.apiKey}&listid=${list}`;
  const forms: [method: 'POST' | 'GET', url: string, body: string | undefined, type: string | undefined][] = [
    ['GET', `/apiv2?${words}&data=${encodeURIComponent(data)}`, undefined, undefined],
    ['POST', `/apiv2?${words}`, `data=${data}`, 'application/json'],
    ['POST', `/apiv2?${words}`, `data=${data}`, 'text/plain'],
    ['POST', '/apiv2', `${words}&data=${encodeURIComponent(data)}`, 'application/x-www-form-urlencoded'],
    [
      'POST',
      '/apiv2',
      JSON.stringify({ type: 'contact', activity: 'add', apikey: account.apiKey, listid: list, data: person }),
      'application/json',
    ],
    ['POST', `/apiv2?${words.replace('add', 'ADD')}`, JSON.stringify({ data }), undefined],
  ];
  for (const [at, [method, url, body, type]] of forms.entries()) {
    const answer = await service.call(method, url, {
      ...(body === undefined ? {} : { body }),
      headers: type === undefined ? {} : { 'content-type': type },
    });
    expect([at, answer.status, answer.body]).toEqual([at, 200, success]);
  }
  await service.settled();
  expect(await found(account, 'asha@example.com', 'AGE')).toEqual([
    { EMAIL: 'asha@example.com', MOBILE: '919812345678', FIRST_NAME: 'Asha', AGE: 30, list_id: [list] },
  ]);
  const { body } = await account.operator('GET', '/requests');
  expect(body.data.map(({ operation }: { operation: string }) => operation)).toEqual(forms.map(() => 'contact.create'));
});

test('addsync answers when the contact is stored, and names what is wrong with it', async () => {
  const account = await newAccount();
  const list = await account.createList('News');
  const sent = { data: JSON.stringify({ EMAIL: 'ravi@example.com' }), listid: String(list) };
  expect(await call(account, 'addsync', sent)).toMatchObject({ status: 200, body: success });
  expect(await found(account, 'ravi@example.com')).toMatchObject([{ list_id: [list] }]);

  expect(await call(account, 'addsync', { data: JSON.stringify({ EMAIL: 'nobody' }) })).toMatchObject({
    status: 400,
    body: { status: 'error', result: 'Invalid request', details: expect.stringMatching(/^data\.EMAIL: The identity/) },
  });
  // What only the pipeline can find out is an error, too.
  await account.operator('PATCH', '', { settings: { reject_existing_contacts: true } });
  expect(await call(account, 'addsync', sent)).toMatchObject({
    status: 400,
    body: { result: 'Invalid request', details: expect.stringContaining('exists') },
  });
});

test('update changes a contact, and delete takes it out of a list or deletes it', async () => {
  const account = await newAccount();
  const lists: number[] = [];
  for (const name of ['News', 'Sports']) {
    lists.push(await account.createList(name));
  }
  for (const listid of lists) {
    await call(account, 'addsync', { data: JSON.stringify(person), listid: String(listid) });
  }
  const change = { EMAIL: 'asha@example.com', FIRST_NAME: 'Usha', AGE: '' };
  expect(await call(account, 'update', { data: JSON.stringify(change) })).toMatchObject({ status: 200, body: success });
  await service.settled();
  expect(await found(account, 'asha@example.com', 'AGE')).toMatchObject([
    { FIRST_NAME: 'Usha', AGE: null, list_id: lists },
  ]);

  const leave = { data: 'asha@example.com', listid: String(lists[0]) };
  expect(await call(account, 'delete', leave)).toMatchObject({ status: 200, body: success });
  await service.settled();
  expect(await found(account, 'asha@example.com')).toMatchObject([{ list_id: [lists[1]] }]);
  expect(await call(account, 'delete', { data: '"asha@example.com"' }, 'GET')).toMatchObject({ status: 200 });
  await service.settled();
  expect(await found(account, 'asha@example.com')).toEqual([]);
});

test('delete never deletes a contact when it names a list, however the list is written', async () => {
  const account = await newAccount();
  const list = await account.createList('News');
  await call(account, 'addsync', { data: JSON.stringify(person), listid: String(list) });
  const { apiKey: apikey } = account;
  const blank = { type: 'contact', activity: 'delete', apikey, data: 'asha@example.com', listid: null };
  expect((await service.call('POST', '/apiv2', { body: blank })).status).toBe(400);
  // A blank in the query does not hide the list in the body.
  const words = `type=contact&activity=delete&apikey=${apikey}&data=asha@example.com&listid=`;
  expect((await service.call('POST', `/apiv2?${words}`, { body: { listid: list } })).status).toBe(200);
  await service.settled();
  expect(await found(account, 'asha@example.com')).toMatchObject([{ list_id: [] }]);
  const leave = { data: 'asha@example.com', list_id: String(list) };
  expect(await call(account, 'delete', leave)).toMatchObject({ status: 200, body: success });
  await service.settled();
  expect(await found(account, 'asha@example.com')).toHaveLength(1);
});

test('an erasure needs a scope of its own, and the person is forgotten', async () => {
  const account = await newAccount({});
  await call(account, 'addsync', { data: JSON.stringify({ EMAIL: 'mei@example.com' }) });
  const erase = (apiKey: string, primary_key: string) =>
    call({ apiKey }, 'request_erasure_data', { primary_key }, 'POST', 'erasure_user_data');
  expect(await erase(account.apiKey, 'mei@example.com')).toMatchObject({
    status: 403,
    body: { result: 'Missing scope', details: expect.stringContaining('privacy:write') },
  });
  const made = await account.operator('POST', '/api-keys', { name: 'Privacy', scopes: ['privacy:write'] });
  const key = made.body.api_key;
  expect(await erase(key, 'nobody@example.com')).toMatchObject({ status: 404, body: { result: 'Not found' } });
  expect(await erase(key, 'mei@example.com')).toMatchObject({ status: 200, body: success });
  expect(await found(account, 'mei@example.com')).toEqual([]);
  const { body } = await account.operator('GET', '/erasures');
  expect(body.data).toHaveLength(1);
  // This key may do nothing else.
  expect(await call({ apiKey: key }, 'add', { data: JSON.stringify(person) })).toMatchObject({ status: 403 });
  const other = await newAccount({});
  const { body: otherKey } = await other.operator('POST', '/api-keys', { name: 'Other', scopes: ['privacy:write'] });
  expect(await erase(otherKey.api_key, 'mei@example.com')).toMatchObject({ status: 404 });
});

test.for([
  ['add', {}, 'data is required. Send an object with EMAIL'],
  ['add', { data: '{"EMAIL"' }, 'data is not valid JSON'],
  ['add', { data: '[]' }, 'data must be an object'],
  ['add', { data: '{"FIRST_NAME":"Asha"}' }, 'data.EMAIL: The contact has no value for the primary key'],
  ['add', { data: '{"EMAIL":"a@example.com","CITY":{}}' }, 'data.CITY must be a string, number, boolean or null'],
  ['add', { data: '{"EMAIL":"a@example.com"}', listid: 'news' }, 'listid must be an integer'],
  ['add', { data: '{"EMAIL":"a@example.com"}', listid: '0' }, 'listid must be'],
  ['delete', {}, 'data is required. Send the value of EMAIL'],
  ['delete', { data: 'nobody' }, 'data must be the value of EMAIL'],
  ['delete', { data: 'asha@example.com', listid: ' ' }, 'listid must not be blank. Leave it out to delete the contact'],
  ['add', { type: 'contacts', data: '{}' }, 'type must be export_data or contact or erasure_user_data'],
  ['remove', { data: '{}' }, 'activity must be add or addsync or update or delete or bulkupload'],
] as const)('%s with %j is refused: %s', async ([activity, parameters, message]) => {
  const account = service.first;
  const answer = await call(account, activity, parameters);
  expect(answer).toMatchObject({ status: 400, body: { status: 'error', result: 'Invalid request' } });
  expect(answer.body.details).toContain(message);
});

test('a wrong key, a key without the scope and a GET of another operation are refused', async () => {
  const data = JSON.stringify(person);
  for (const method of ['GET', 'POST'] as const) {
    expect(await call({ apiKey: 'nonsense' }, 'add', { data }, method)).toMatchObject({
      status: 401,
      body: { result: 'Invalid API key' },
    });
  }
  const account = await newAccount({});
  const { body } = await account.operator('POST', '/api-keys', { name: 'Reader', scopes: ['contacts:read'] });
  expect(await call({ apiKey: body.api_key }, 'add', { data })).toMatchObject({ status: 403 });
  const words = 'type=export_data&activity=get_user_channel_activity_data';
  const read = await service.call('GET', `/apiv2?${words}&apikey=${account.apiKey}`);
  expect([read.status, read.headers['allow']]).toEqual([405, 'POST']);
  const twice = await service.call('GET', `/apiv2?${words}&type=contact&activity=add&apikey=${account.apiKey}`);
  expect([twice.status, twice.headers['allow']]).toEqual([405, 'POST']);
  const head = await service.call('HEAD', `/apiv2?type=contact&activity=add&apikey=${account.apiKey}`);
  expect(head.status).toBe(405);
  await service.settled();
  expect(await found(account, 'asha@example.com')).toEqual([]);
});

test('calls count for the rate limit of their key', async () => {
  const account = await newAccount({ rate_limit: 2 });
  const data = JSON.stringify(person);
  const statuses = [];
  for (let n = 0; n < 3; n++) statuses.push((await call(account, 'add', { data })).status);
  expect(statuses).toEqual([200, 200, 429]);
});
