import { expect, test } from 'vitest';
import { listExport, startExportService } from '../exports/export-service.ts';
import { isCluster } from '../support/cluster.ts';
import { forFile } from '../support/for-file.ts';

/** Reads in all. A cluster has more ways to show half a request than a single server. */
const reads = Number(process.env['ROSTER_TEST_TORN_READS'] ?? (isCluster ? 10_000 : 400));
const contacts = 200;
const readers = 3;

const identities = Array.from({ length: contacts }, (_, n) => `person-${n}@example.com`);

const exports = await forFile(startExportService());
const account = exports.account;
await account.createAttributes([{ name: 'VERSION', data_type: 'number' }]);
const list = await account.createList('Everyone');
await account.apply('/contact/create', version(0, { audience_details: [{ audience_id: list }] }));

/** A request that gives all contacts a version. */
function version(number: number, rest: object = {}): object {
  const items = identities.map((identity) => ({ identity, attributes: { VERSION: number }, ...rest }));
  return { data: { contact_type: 'identified', contacts: items } };
}

test(`none of ${reads} reads sees half of a request while requests change all contacts`, async () => {
  const ending = new AbortController();
  let written = 0;
  const writer = (async () => {
    while (!ending.signal.aborted) await account.apply('/contact/create', version(++written));
  })();
  const torn: string[] = [];
  let left = reads;
  const seen = new Set<number>();
  /** Every contact must have the same version, and nobody may be missing. */
  const look = (how: string, versions: readonly number[]): void => {
    for (const one of versions) seen.add(one);
    if (new Set(versions).size !== 1 || versions.length !== contacts) {
      torn.push(`${how}: ${versions.length} contacts with the versions ${[...new Set(versions)].join(', ')}`);
    }
  };
  const read = async (n: number): Promise<void> => {
    if (n % 200 === 0) {
      const id = await exports.accepted(listExport(list, { attributes_needed: ['EMAIL', 'VERSION'] }));
      const [, ...rows] = await exports.rows(id);
      look(
        'export',
        rows.map((row) => Number(row[1])),
      );
    } else if (n % 2 === 0) {
      const rows = await account.rows({ output: { fields: ['VERSION'], pagination: { limit: 1000 } } });
      look(
        'search',
        rows.map((row) => Number(row['VERSION'])),
      );
    } else {
      const condition = { field: 'VERSION', operation: 'less_than', value: written };
      const { body } = await account.v5('/contact/search', {
        filtering_criteria: [{ condition_details: [condition] }],
        output: { get_count: true, fields: ['contact_id'], pagination: { limit: 1 } },
      });
      if (body.count !== 0 && body.count !== contacts) torn.push(`count: ${body.count} of ${contacts}`);
    }
  };
  const reading = Array.from({ length: readers }, async () => {
    while (left > 0) await read(left--);
  });
  try {
    await Promise.all(reading);
  } finally {
    ending.abort();
    await writer;
  }
  expect(torn).toEqual([]);
  // Otherwise the reads did not run next to the writes.
  expect(seen.size).toBeGreaterThan(Math.min(10, reads / 50));
}, 1_800_000);
