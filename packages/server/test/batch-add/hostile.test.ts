import fc from 'fast-check';
import { expect, test } from 'vitest';
import { junkTexts } from '../fuzz/junk.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { batch, reportsOf, requestOf, send } from './support.ts';

const service = await forFile(startTestService());
await service.first.operator('PATCH', '', { settings: { auto_create_attributes: true, rate_limit: 0 } });

const text = fc.constantFrom(...junkTexts.filter((junk) => junk.length < 2000));
const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), text, fc.constantFrom('', ' ', 'null', null, 1e308, -0));
const name = fc.oneof(
  text,
  fc.constantFrom('EMAIL', 'email', ' Mobile', 'CITY', '__proto__', 'constructor', 'IDENTITY'),
);
const contact = fc.oneof(
  value,
  fc.dictionary(name, value, { maxKeys: 25 }),
  fc.record({ EMAIL: fc.constantFrom('a@example.com', 'B@example.com'), CITY: value, MOBILE: value }),
);
const envelope = fc.dictionary(
  fc.constantFrom('listid', 'LISTID', 'primarykey', 'notifyemail', 'callbackurl', 'callback', 'data', '__proto__'),
  value,
  { maxKeys: 2 },
);

test('a batch with any contacts is accepted, applied and reported with counts that add up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(contact, { minLength: 1, maxLength: 8 }), async (data) => {
      const { status, body } = await send(service, batch(data));
      expect(status, JSON.stringify(body)).toBe(200);
      await service.settled();
      const [report] = await reportsOf(service, body.message);
      const { total, created, updated, failed } = report!;
      expect([total, created + updated + failed]).toEqual([data.length, data.length]);
      const { failures } = await requestOf(service.first, body.message);
      expect(failures.filter(({ code }: { code: string }) => code === 'internal')).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('a batch with any fields gets 200 or 400 in the documented shape', async () => {
  await fc.assert(
    fc.asyncProperty(envelope, async (changes) => {
      const { status, body } = await send(service, { ...batch([{ EMAIL: 'a@example.com' }]), ...changes });
      expect([200, 400]).toContain(status);
      expect(body).toEqual({ message: expect.any(String), status });
      await service.settled();
    }),
    { numRuns: 300 },
  );
});
