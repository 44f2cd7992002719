import { expect, test } from 'vitest';
import type { JobName } from '#platform/jobs/job-table.ts';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { startSmtp } from '../support/smtp.ts';
import { mailConfig } from '../mails/support.ts';

const smtp = await forFile(startSmtp());
const service = await forFile(startTestService({ config: mailConfig(smtp) }));
const busy = service.first;
const other = await service.createAccount();
const jobs = 20;

/** Gives an account work of one kind. */
type Work = (account: TestAccount, email: string) => Promise<unknown>;

async function idOf(account: TestAccount, identity: string): Promise<number> {
  await account.createContacts([{ identity }]);
  const [row] = await account.rows({
    filtering_criteria: [{ condition_details: [{ field: 'identity', operation: 'equals', value: identity }] }],
    output: { fields: ['contact_id'] },
  });
  return row!['contact_id'] as number;
}

async function status(call: Promise<{ status: number; body: unknown }>, expected: number): Promise<void> {
  const { status: found, body } = await call;
  expect(found, JSON.stringify(body)).toBe(expected);
}

const kinds: readonly [JobName, Work][] = [
  ['send_mail', (account, email) => status(account.operator('POST', '/sign-ups', { email }), 201)],
  [
    'erase_traces',
    async (account, email) =>
      status(account.operator('DELETE', `/contacts/${await idOf(account, email)}?mode=erase`), 200),
  ],
  [
    'bulk_change',
    async (account, email) => {
      const ids = [await idOf(account, email)];
      const body = { action: { type: 'erase' }, contact_ids: ids, expected_count: 1 };
      await status(account.operator('POST', '/bulk-changes', body), 201);
    },
  ],
  [
    'import',
    async (account) => {
      const { body } = await account.operator('POST', '/imports', { file_name: 'a.csv' });
      const path = `/admin/v1/accounts/${account.accountId}/imports/${body.import_id}/file`;
      const headers = { authorization: `Bearer ${testAdminToken}`, 'content-type': 'text/csv' };
      await status(service.call('PUT', path, { body: 'email\nasha@example.com\n', headers }), 200);
    },
  ],
];

test.each(kinds)(
  'an account with many jobs of the kind %s does not delay those of another account',
  async (name, work) => {
    for (let n = 0; n < jobs; n++) await work(busy, `${name}-${n}@example.com`);
    await work(other, `${name}@example.com`);
    const order: number[] = [];
    const run = async (_context: unknown, { account_id: accountId }: { readonly account_id: number }) =>
      void order.push(accountId);
    await using _ = service.startJobs({ [name]: run });
    await expect.poll(() => order.length).toBe(jobs + 1);
    expect(order.indexOf(other.accountId)).toBeLessThan(6);
  },
);
