import { expect, test } from 'vitest';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const service = await forFile(startTestService());
const account = await service.createAccount();

const city = (value: string) => [{ condition_details: [{ field: 'CITY', operation: 'equals', value }] }];

const cases = {
  list: {
    make: () => account.operator('POST', '/lists', { name: 'List' }),
    path: 'lists',
    changes: [{ name: 'A' }, { name: 'B' }],
  },
  segment: {
    make: () => account.operator('POST', '/segments', { name: 'Segment', filtering_criteria: city('Ulm') }),
    path: 'segments',
    changes: [{ filtering_criteria: city('Bonn') }, { name: 'B' }],
  },
  account: {
    make: undefined,
    path: '',
    changes: [{ settings: { reject_existing_contacts: true } }, { time_zone: 'Asia/Kolkata' }],
  },
};

test.each(Object.entries(cases))('of two people who change the same %s, the second is told', async (_, one) => {
  const { make, path, changes } = one;
  const made = await make?.();
  const url = `/admin/v1/accounts/${account.accountId}${made === undefined ? '' : `/${path}/${made.body.audience_id}`}`;
  const authorization = `Bearer ${testAdminToken}`;
  const get = () => service.call('GET', url, { headers: { authorization } });
  const patch = (body: object, version?: string) =>
    service.call('PATCH', url, {
      body,
      headers: { authorization, ...(version === undefined ? {} : { 'if-match': version }) },
    });
  const version = String((await get()).headers['etag']);
  const first = await patch(changes[0]!, version);
  expect(first.status).toBe(200);
  expect(first.headers['etag']).not.toBe(version);

  const second = await patch(changes[1]!, version);
  expect(second.status).toBe(412);
  expect(second.headers['etag']).toBe(first.headers['etag']);
  expect(second.body.current).toEqual(first.body);
  expect(String((await get()).headers['etag'])).toBe(first.headers['etag']);

  expect((await patch(changes[1]!, String(first.headers['etag']))).status).toBe(200);
  // Without If-Match, a change is always made. An unchanged value keeps the version.
  const again = await patch(changes[1]!);
  expect(again.status).toBe(200);
  expect((await patch(changes[1]!, String(again.headers['etag']))).headers['etag']).toBe(again.headers['etag']);
  expect((await patch(changes[1]!, 'W/"x"')).status).toBe(400);
});

test('of changes of a list with the same version, exactly one is made', async () => {
  const { body } = await account.operator('POST', '/lists', { name: 'Race' });
  const url = `/admin/v1/accounts/${account.accountId}/lists/${body.audience_id}`;
  const headers = { authorization: `Bearer ${testAdminToken}` };
  const version = String((await service.call('GET', url, { headers })).headers['etag']);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      service.call('PATCH', url, { body: { name: `Name ${at}` }, headers: { ...headers, 'if-match': version } }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 412)).toHaveLength(7);
});
