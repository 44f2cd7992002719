import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { attributeAccount, path } from './attribute-account.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

const rounds = 20;

describe('at the same moment as', () => {
  test('a segment that compares it is made, an attribute gets another type, or the segment is made: never both', async () => {
    const account = await attributeAccount(service);
    for (let round = 0; round < rounds; round++) {
      const name = `RACE_${round}`;
      await account.create({ name, data_type: 'number' });
      // To text would lose nothing, but a text has no ranges.
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

  test('an export of it is accepted, an attribute is deleted, or the export is accepted: never both', async () => {
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
