import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { attributeAccount, path } from './attribute-account.ts';

const service = await forFile(startTestService());

const rounds = 20;

describe('requests at the same moment', () => {
  test('when a segment that uses an attribute and a change of its type are sent at once, only one succeeds', async () => {
    const account = await attributeAccount(service);
    for (let round = 0; round < rounds; round++) {
      const name = `RACE_${round}`;
      await account.create({ name, data_type: 'number' });
      // A change to text loses no values, but a text cannot be compared with greater_than.
      const data_type = round % 2 === 0 ? 'date' : 'text';
      const [changed, made] = await Promise.all([
        account.update({ name, data_type }),
        account.operator('POST', '/segments', {
          name,
          filtering_criteria: [{ condition_details: [{ field: name, operation: 'greater_than', value: 5 }] }],
        }),
      ]);
      expect([changed.status, made.status]).toEqual(made.status === 201 ? [400, 201] : [200, 400]);
      if (made.status !== 201) continue;
      expect(changed.body.errors[0].message).toContain(`segment ${made.body.audience_id} (${name})`);
      expect((await account.operator('GET', `/segments/${made.body.audience_id}/count`)).status).toBe(200);
    }
  });

  test('when an export and a delete of an attribute are sent at once, only one succeeds', async () => {
    const account = await attributeAccount(service);
    const list = await account.operator('POST', '/lists', { name: 'Some' });
    for (let round = 0; round < rounds; round++) {
      const name = `RACE_${round}`;
      await account.create({ name, data_type: 'text' });
      const audience = { audience_type: 'list', audience_id: list.body.audience_id, attributes_needed: [name] };
      const [deleted, accepted] = await Promise.all([
        account.v5(path.delete, { data: [name] }),
        service.call('POST', '/v4/audience/export', {
          body: { audience_details: audience, callback_details: {} },
          headers: { 'api-key': account.apiKey },
        }),
      ]);
      await service.settled();
      if (accepted.status !== 200) expect([accepted.status, deleted.status]).toEqual([400, 200]);
      expect(await account.find(name)).toHaveLength(accepted.status === 200 ? 1 : 0);
    }
  });
});

describe('the answer of an update', () => {
  test('the answer shows the changed attributes, even when they are renamed at the same moment', async () => {
    const account = await attributeAccount(service);
    await account.create({ name: 'T', data_type: 'text' });
    for (let round = 0; round < rounds; round++) {
      const renames = Array.from({ length: 20 }, (_, at) =>
        account.update(at % 2 === 0 ? { name: 'T', new_name: 'T2' } : { name: 'T2', new_name: 'T' }),
      );
      const answered = (await Promise.all(renames)).filter(({ status }) => status === 200);
      expect(answered.map(({ body }) => body.data.map(({ id }: { id: number }) => id))).toEqual(
        answered.map(() => [11]),
      );
    }
  });

  test('the answer follows attributes by id, and leaves out deleted ones', async () => {
    const account = await attributeAccount(service);
    await account.create({ name: 'A', data_type: 'text' }, { name: 'B', data_type: 'text' });
    const data = [
      { name: 'A', new_name: 'A2' },
      { name: 'B', category: 'profile' },
    ];
    // A repeat returns the attributes that the first request changed, in their current state.
    const change = async () => (await account.v5(path.update, { data }, { 'idempotency-key': 'once' })).body.data;
    expect(await change()).toMatchObject([
      { id: 11, name: 'A2' },
      { id: 12, name: 'B' },
    ]);
    await account.update({ name: 'A2', new_name: 'B' }, { name: 'B', new_name: 'A2' });
    expect(await change()).toMatchObject([
      { id: 11, name: 'B' },
      { id: 12, name: 'A2' },
    ]);
    await account.apply(path.delete, { data: [{ id: 11 }] });
    expect(await change()).toMatchObject([{ id: 12, name: 'A2' }]);
  });
});
