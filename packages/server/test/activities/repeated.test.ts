import fc from 'fast-check';
import { expect, test } from 'vitest';
import { activityRow, findStored, prepareSearch } from '#features/activities/store/activity-store.ts';
import { monthOf } from '#platform/time/month.ts';
import { forFile } from '../support/for-file.ts';
import { pagesRead } from '../support/pages-read.ts';
import { startTestService } from '../support/service.ts';
import { keepsAll, record, recorded, stored } from './support.ts';

const service = await forFile(startTestService());

test('finding repeated records reads few pages, even when a contact has many records at one moment', async () => {
  const account = service.first;
  const { context } = service;
  const one = record({ id: 'the only one with an id of its own' });
  await recorded(service, account, [one]);
  // 40,000 more records at the same moment.
  await context.pool.query(`
    insert into activities (account_id, channel, activity, occurred_at, record_id, contact_key)
    select account_id, channel, activity, occurred_at, n, contact_key from activities, generate_series(1, 40000) n
    where account_id = ${account.accountId}`);

  const at = Date.parse(String(one['occurred_at']));
  const ids = Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? n + 20_000 : n + 90_000));
  const wanted = ids.map((id) =>
    activityRow(account.accountId, {
      key: 'asha@example.com',
      request: 0,
      occurredAt: at,
      record: {
        identity: 'asha@example.com',
        channel: 'email',
        activity: 'sent',
        occurred_at: new Date(at).toISOString(),
        record_id: id,
      },
    }),
  );
  let found: Set<number> | undefined;
  const pages = await pagesRead(context.config.databaseUrl!, async (client) => {
    found = await findStored(client, account.accountId, prepareSearch(monthOf(at), wanted)!);
  });
  expect(found).toEqual(new Set(ids.flatMap((id, place) => (id <= 40_000 ? [place] : []))));
  // A look-up reads the three or four levels of the index, and one row.
  expect(pages).toBeLessThan(100 * 8);
});

/**
 * A record, and its identity, channel, time and id as they are compared. The second is null for a
 * record without an id.
 */
type Compared = readonly [sent: object, compared: string | null];

const comparedRecord: fc.Arbitrary<Compared> = fc
  .record({
    identity: fc.constantFrom<[sent: string, compared: string]>(
      ['asha@example.com', 'asha@example.com'],
      [' Asha@Example.COM ', 'asha@example.com'],
      ['ravi@example.com', 'ravi@example.com'],
    ),
    channel: fc.constantFrom('email', 'sms'),
    occurredAt: fc.constantFrom<[sent: string, compared: string]>(
      ['2026-03-31T23:59:59.999Z', '2026-03-31T23:59:59.999Z'],
      ['2026-04-01T05:29:59.9994+05:30', '2026-03-31T23:59:59.999Z'],
      ['2026-04-01T00:00:00Z', '2026-04-01T00:00:00.000Z'],
      ['2026-03-31t20:00:00.000-04:00', '2026-04-01T00:00:00.000Z'],
    ),
    id: fc.constantFrom<[sent: string | number | undefined, compared: string | null]>(
      ['7', '7'],
      [7, '7'],
      [' 7 ', '7'],
      ['r', 'r'],
      ['R', 'R'],
      ['अ', 'अ'],
      [undefined, null],
    ),
    activity: fc.constantFrom('sent', 'open', 'click'),
    msg_name: fc.constantFrom(undefined, 'Offers'),
  })
  .map(({ identity, channel, occurredAt, id, ...others }) => [
    { ...others, identity: identity[0], channel, occurred_at: occurredAt[0], id: id[0] },
    id[1] === null ? null : [identity[1], channel, occurredAt[1], id[1]].join(' '),
  ]);

test('a record is unchanged exactly when its identity, channel, time and id were recorded before', async () => {
  const requests = fc.array(fc.array(comparedRecord, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(requests, async (sent) => {
      const account = await service.createAccount({ name: 'Repeats', settings: keepsAll });
      const seen = new Set<string>();
      let total = 0;
      for (const records of sent) {
        let created = 0;
        for (const [, compared] of records) {
          if (compared !== null && seen.has(compared)) continue;
          if (compared !== null) seen.add(compared);
          created++;
        }
        const request = await recorded(
          service,
          account,
          records.map(([one]) => one),
        );
        expect(request.counts).toMatchObject({ created, unchanged: records.length - created, failed: 0 });
        total += created;
      }
      expect(await stored(service, account)).toHaveLength(total);
    }),
    { numRuns: 25 },
  );
});
