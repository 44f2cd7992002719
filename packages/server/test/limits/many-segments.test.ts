import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const service = await forFile(startTestService({ worker: false }));

test('a list that 90,000 segments use is shown before the time of the request is over', async () => {
  const account = await service.createAccount();
  const list = await account.createList('Newsletter');
  const { status, body } = await account.operator('POST', '/segments', {
    name: 'Readers',
    filtering_criteria: [{ condition_details: [{ field: 'list_id', operation: 'equals', value: [list] }] }],
  });
  expect(status).toBe(201);
  await sql`
    insert into audiences (account_id, audience_id, audience_type, name, filter, created_at, updated_at)
    select account_id, 1000 + copy, audience_type, name, filter, created_at, updated_at
    from audiences, generate_series(1, 89999) as copy
    where account_id = ${account.accountId} and audience_id = ${body.audience_id}`.execute(service.context.db);
  expect(await account.operator('GET', `/lists/${list}`)).toMatchObject({ status: 200, body: { use_count: 90_000 } });
});
