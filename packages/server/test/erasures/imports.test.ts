import { expect, test } from 'vitest';
import { eraseTraces } from '#features/erasures/traces/erase-traces.ts';
import { runImport } from '#features/imports/run/run-import.ts';
import { startImportService } from '../imports/import-service.ts';
import { forFile } from '../support/for-file.ts';
import type { TestAccount } from '../support/service.ts';
import { contactId, created, erased, finished, idle, mentions } from './support.ts';

const imports = await forFile(startImportService());

async function forget(account: TestAccount, id: number): Promise<void> {
  await finished(account, (await erased(account, id)).request_id);
}

const failuresOf = async (account: TestAccount, importId: string) =>
  account.operator('GET', `/imports/${importId}/failures`);

test('only files of failures that name the person are deleted with the person', async () => {
  const account = await imports.service.createAccount({ name: 'Keyed', primary_key: 'CUSTOMER_ID' });
  const lena = { identity: 'C-4711', email: 'lena@example.com', mobile: '491701234567' };
  const id = await created(account, lena);
  const run = async (file: string, body?: object) => (await imports.run(file, body, account)).import_id;
  const naming = [
    await run('CUSTOMER_ID,MOBILE\nC-4711,12\nC-1,491700000001\n'),
    await run('CUSTOMER_ID,EMAIL,MOBILE\n,LENA@example.com ,491700000002\n'),
    await run('CUSTOMER_ID,MOBILE\n,+49 170 1234567\n'),
    await run('CUSTOMER_ID,NOTE,MOBILE\nC-3,lena@example.com,12\n', { unknown_columns: 'skip' }),
    await run('CUSTOMER_ID,CITY\nC-4711,Ulm,too many\n'),
    await run(`CONTACT_ID,MOBILE\n${id},12\n`, { mode: 'update', columns: { CONTACT_ID: 'CONTACT_ID' } }),
    await run('CUSTOMER_ID,MOBILE\nC-4711,12\n', { dry_run: true }),
    await run('{"identity": "C-4711", "mobile": "12"}\n'),
  ];
  const others = [
    await run('CUSTOMER_ID,MOBILE\nC-47110,12\n'),
    await run('CUSTOMER_ID,EMAIL\n,magda-lena@example.com\n'),
    await run('CUSTOMER_ID,NUMBER,MOBILE\nC-5,C-4711,12\n', { unknown_columns: 'skip' }),
  ];
  for (const one of [...naming, ...others]) expect((await failuresOf(account, one)).status).toBe(200);

  await forget(account, id);
  for (const one of naming) {
    const answer = await failuresOf(account, one);
    expect(answer.status, String(answer.body)).toBe(410);
    expect((await imports.find(one, account)).failures_expire_at).toBeNull();
  }
  for (const one of others) expect((await failuresOf(account, one)).status).toBe(200);
  expect(await imports.files()).toHaveLength(others.length);
});

test('an import does not store the person again, and the values of refused rows are not kept', async () => {
  const { account } = imports;
  await forget(account, await created(account, { identity: 'lena@example.com' }));
  const file = 'EMAIL,FIRST_NAME,MOBILE\nlena@example.com,Lenamarie,491701234567\notto@example.com,Otto,491700000009\n';
  for (const dry_run of [true, false]) {
    const ended = await imports.run(file, { dry_run });
    expect(ended.counts).toMatchObject({ total: 2, created: 1, failed: 1 });
    expect(await imports.failures(ended.import_id, account)).toMatchObject([
      { IMPORT_LINE: '2', IMPORT_CODE: 'contact_forgotten', EMAIL: '', FIRST_NAME: '', MOBILE: '' },
    ]);
  }
  expect(await contactId(account, 'otto@example.com')).toBeGreaterThan(0);
  await idle(imports.service);
  expect(await mentions(imports.service, account, ['lena@example.com', 'Lenamarie', '491701234567'])).toEqual([]);
});

test('nothing is kept of a row that names the person, even if it has other faults', async () => {
  const account = await imports.service.createAccount({ name: 'Taken', primary_key: 'CUSTOMER_ID' });
  await forget(account, await created(account, { identity: 'C-1', email: 'lena@example.com' }));
  await created(account, { identity: 'C-2' });
  const file =
    'CUSTOMER_ID,EMAIL,FIRST_NAME\nC-3,otto@example.com,Otto\nC-2,lena@example.com,Lenamarie\nC-2,,Ida\nC-4,,Uwe\n';
  for (const dry_run of [true, false]) {
    const ended = await imports.run(file, { mode: 'create', dry_run }, account);
    expect(ended.counts).toMatchObject({ total: 4, created: 2, failed: 2 });
    expect(await imports.failures(ended.import_id, account)).toMatchObject([
      { IMPORT_LINE: '3', IMPORT_CODE: 'contact_forgotten', CUSTOMER_ID: '', EMAIL: '', FIRST_NAME: '' },
      { IMPORT_LINE: '4', IMPORT_CODE: 'contact_exists', CUSTOMER_ID: 'C-2', EMAIL: '', FIRST_NAME: 'Ida' },
    ]);
  }
});

test('the erasure of an anonymous contact that was imported with a sign-up date removes its values from requests', async () => {
  const account = await imports.service.createAccount({ name: 'Anonymous', primary_key: 'CUSTOMER_ID' });
  const file = 'CUSTOMER_ID,CONTACT_TYPE,FIRST_NAME,SINCE\n,anonymous,Lenamarie,2020-01-01T00:00:00Z\n';
  const { counts } = await imports.run(file, { columns: { SINCE: { field: 'CREATED_AT' } } }, account);
  expect(counts).toMatchObject({ created: 1, failed: 0 });
  const [row] = await account.rows({ output: { fields: ['contact_id', 'created_at'] } });
  expect(row!['created_at']).toBe('2020-01-01T00:00:00.000Z');
  await forget(account, row!['contact_id'] as number);
  expect(await mentions(imports.service, account, ['Lenamarie'])).toEqual([]);
});

test('an erasure is not done before the imports whose files were sent earlier', async () => {
  await using held = await startImportService({ jobs: false });
  const { account, service } = held;
  const id = await created(account, { identity: 'lena@example.com' });
  const { import_id } = await held.create({ notify_email: 'lena@example.com' });
  // The row fails before it becomes an item of a request, so the check for forgotten people does
  // not see it.
  await held.send(import_id, 'EMAIL,MOBILE\nlena@example.com,12\n');
  const { request_id } = await erased(account, id);
  const run = { signal: new AbortController().signal, jobId: '1', attempt: 1, maxAttempts: 25 };
  const erasing = () => eraseTraces(service.context, { account_id: account.accountId, request_id }, run);
  await erasing();
  const status = async () => (await account.operator('GET', `/erasures/${request_id}`)).body.status;
  expect(await status()).toBe('running');

  await using _jobs = service.startJobs({ import: runImport });
  await held.ended(import_id);
  expect((await failuresOf(account, import_id)).status).toBe(200);
  await erasing();
  expect(await status()).toBe('done');
  expect((await failuresOf(account, import_id)).status).toBe(410);
  expect(await held.find(import_id)).toMatchObject({ status: 'completed', notify_email: null });
});
