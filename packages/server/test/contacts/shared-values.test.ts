import { beforeEach, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

let account: TestAccount;
const service = await forFile(startTestService());

const shared = { email: 'shared@example.com', mobile: '2222222' };
let ids: number[];

/**
 * Creates contacts that share an email and a mobile. There are more of them than a limit on the
 * contacts loaded for one value would allow.
 */
beforeEach(async () => {
  account = await service.createAccount({ name: 'Shared', primary_key: 'CUSTOMER_ID' });
  const contacts = Array.from({ length: 250 }, (_, n) => ({ identity: `C${n}`, ...shared }));
  await account.createContacts(contacts);
  const output = { fields: ['contact_id'], pagination: { limit: 1000 } };
  ids = (await account.rows({ output })).map((row) => row['contact_id'] as number).sort((a, b) => a - b);
});

const remove = (contacts: object[]) => account.apply('/contact/delete', { data: { contacts } });

test('a shared value stays ambiguous when the same request first deletes some of its contacts', async () => {
  for (const finder of [{ email: shared.email }, { mobile: shared.mobile }]) {
    const request = await remove([...ids.splice(0, 99).map((id) => ({ contact_id: id })), finder]);
    expect(request.counts).toMatchObject({ deleted: 99, failed: 1 });
    expect(request.failures).toMatchObject([{ index: 99, code: 'contact_ambiguous', field: Object.keys(finder)[0] }]);
  }
});

test('a shared value finds the last contact that has it, whichever of the contacts that is', async () => {
  for (const [finder, kept] of [
    [{ email: shared.email }, ids.at(-1)],
    [{ mobile: shared.mobile }, ids.at(0)],
  ] as const) {
    const others = ids.filter((id) => id !== kept).map((id) => ({ contact_id: id }));
    const request = await account.updateContacts([
      ...others.map((other) => ({ ...other, email: null, mobile: null })),
      { ...finder, attributes: { CITY: 'left' } },
    ]);
    expect(request.counts).toMatchObject({ updated: 250, failed: 0 });
    const [left] = await account.rows({
      filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: 'left' }] }],
    });
    expect(left).toMatchObject({ contact_id: kept });
    await account.updateContacts(ids.map((id) => ({ contact_id: id, attributes: { CITY: null }, ...shared })));
  }
});
