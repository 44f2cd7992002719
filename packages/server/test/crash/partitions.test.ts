import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makePartitions } from '#pipeline/log/coming-partitions.ts';
import { startTestService } from '../support/service.ts';

test('requests that arrive while the partition of their day is created are accepted and kept', async () => {
  await using service = await startTestService({ worker: false });
  const { context, first: account } = service;
  // The clock is fixed, so the partitions are those of the day of the first request and of the next
  // days.
  const now = context.now();
  const statuses: number[] = [];
  const made = new AbortController();
  const send = async (number: number): Promise<void> => {
    const contacts = [{ identity: `${number}@example.com` }];
    const headers = number % 2 === 0 ? { 'idempotency-key': `key-${number}` } : undefined;
    const body = { data: { contact_type: 'identified', contacts } };
    statuses.push((await account.v5('/contact/create', body, headers)).status);
  };
  const senders = Array.from({ length: 4 }, async (_, sender) => {
    for (let number = sender; !made.signal.aborted; number += 4) await send(number);
    await send(1_000_000 + sender);
  });
  await expect.poll(() => statuses.length).toBeGreaterThan(20);
  await makePartitions({ ...context, now: () => now });
  made.abort();
  await Promise.all(senders);

  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  const { rows } = await sql`select count(*) as requests from requests`.execute(context.db);
  expect(rows).toEqual([{ requests: statuses.length }]);
  const { rows: misplaced } = await sql`select request_id from requests_default`.execute(context.db);
  expect(misplaced).toEqual([]);
});
