/**
 * Measures searches and exports by derived attributes over HTTP. Those about messages that were sent
 * are computed from the activities, and those about opens are stored. So each pair of rows compares
 * the two.
 *
 * `npm run bench:derived-searches -- [--contacts 1000000] [--activities 10000000] [--runs 5]`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { recomputeSummaries } from '../packages/server/src/features/activities/summaries/recompute.ts';
import { derivedFields } from '../packages/server/src/features/registry/derived/derived-fields.ts';
import { databaseOn } from '../packages/server/src/platform/database/connection/database.ts';
import { monthOf } from '../packages/server/src/platform/time/month.ts';
import { fillActivities } from './fill-activities.ts';
import { quantile, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: {
    contacts: { type: 'string', default: '1000000' },
    activities: { type: 'string', default: '10000000' },
    runs: { type: 'string', default: '5' },
  },
});
const size = { contacts: Number(options.contacts), activities: Number(options.activities) };
const runs = Number(options.runs);

await using service = await startBenchService();
const database = await service.database();
// The service ends open connections when it stops. That must not hide the error of the run.
database.on('error', () => undefined);
await fillActivities(database, size);
const now = new Date();
await database.query(
  `insert into activity_summary_states (account_id, wanted, usable, requested_at) values (1, true, true, $1)`,
  [now],
);
// In one statement, which takes a tenth of the time of the steps of the worker.
const from = { accountId: 1, keptFrom: monthOf(now.getTime()) - 25, now };
await recomputeSummaries(databaseOn(database), { after: '', last: null }, from);
await database.query('vacuum (analyze) activity_summaries');

const filter = (field: string, operation: string, value?: unknown) => ({
  filtering_criteria: [{ condition_details: [{ field, operation, ...(value === undefined ? {} : { value }) }] }],
});
const counted = { output: { fields: ['contact_id'], get_count: true } };
const newest = { output: { fields: ['contact_id', 'EMAIL'] } };
const sorted = (field: string, direction: string) => ({
  output: { fields: ['contact_id', field], sorting: [{ field, direction }] },
});

/** Name, and the bodies for sent messages and for opens. */
const cases: readonly (readonly [name: string, of: (kind: 'sent' | 'open') => object])[] = [
  [
    'count: at least 2 in 30 days',
    (kind) => ({ ...filter(`activity.${kind}_30_days`, 'greater_than', 1), ...counted }),
  ],
  [
    'count: at least 2 in 90 days',
    (kind) => ({ ...filter(`activity.${kind}_90_days`, 'greater_than', 1), ...counted }),
  ],
  ['count: none in 30 days', (kind) => ({ ...filter(`activity.${kind}_30_days`, 'equals', 0), ...counted })],
  [
    'count: last not in the last 30 days',
    (kind) => ({ ...filter(`activity.email.last_${kind}`, 'not_in_last', '30 days'), ...counted }),
  ],
  [
    'count: last before 30 days ago',
    (kind) => ({ ...filter(`activity.email.last_${kind}`, 'less_than', '-30 days'), ...counted }),
  ],
  ['count: never', (kind) => ({ ...filter(`activity.email.last_${kind}`, 'is_null'), ...counted })],
  [
    'newest page: at least 2 in 30 days',
    (kind) => ({ ...filter(`activity.${kind}_30_days`, 'greater_than', 1), ...newest }),
  ],
  [
    'newest page: at least 2 in 90 days',
    (kind) => ({ ...filter(`activity.${kind}_90_days`, 'greater_than', 1), ...newest }),
  ],
  ['sort: most in 30 days', (kind) => sorted(`activity.${kind}_30_days`, 'desc')],
  ['sort: most in 90 days', (kind) => sorted(`activity.${kind}_90_days`, 'desc')],
  ['sort: fewest in 90 days', (kind) => sorted(`activity.${kind}_90_days`, 'asc')],
  ['sort: last, newest first', (kind) => sorted(`activity.email.last_${kind}`, 'desc')],
  ['sort: last, oldest first', (kind) => sorted(`activity.email.last_${kind}`, 'asc')],
  [
    'page of 50 with all of them',
    (kind) => ({ output: { fields: ['contact_id', ...namesOf(kind)], pagination: { limit: 50 } } }),
  ],
];

console.log(`${size.contacts} contacts, ${size.activities} activities, ${runs} runs each; milliseconds, medians`);
console.log('| search | matches | sent | open |');
console.log('|---|---|---|---|');
for (const [name, of] of cases) {
  const [sent, open] = [await measure(of('sent')), await measure(of('open'))];
  console.log(`| ${name} | ${sent.matches} | ${sent.milliseconds.toFixed(0)} | ${open.milliseconds.toFixed(0)} |`);
}

console.log('\nexports, seconds\n| rows | no derived attributes | those that are stored | all |\n|---|---|---|---|');
const stored = [...derivedFields.keys()].filter((name) => !name.includes('sent'));
for (const rows of [10_000, 100_000, size.contacts]) {
  const seconds = [];
  for (const names of [[], stored, [...derivedFields.keys()]]) {
    const started = performance.now();
    await runExport(rows, ['contact_id', ...names]);
    seconds.push(((performance.now() - started) / 1000).toFixed(1));
  }
  console.log(`| ${rows} | ${seconds.join(' | ')} |`);
}
await database.end();

function namesOf(kind: string): string[] {
  return [...derivedFields.keys()].filter((name) => name.includes(kind));
}

async function measure(body: object): Promise<{ milliseconds: number; matches: string }> {
  const times: number[] = [];
  let matches = '';
  for (let run = -1; run < runs; run++) {
    const started = performance.now();
    const answer = await service.post('/contact/search', body);
    if (run >= 0) times.push(performance.now() - started);
    matches = String((answer['count'] as number | undefined) ?? '');
  }
  return { milliseconds: quantile(times, 0.5), matches };
}

/** Exports the contacts with the first numbers. */
async function runExport(rows: number, attributes: string[]): Promise<void> {
  const of = filter('contact_id', 'less_than_or_equal', rows);
  const { request_id: id } = await service.operator('POST', '/exports', { filter: of, attributes });
  for (;;) {
    const found = await service.operator('GET', `/exports/${String(id)}`);
    if (found['status'] === 'completed') return;
    if (found['finished_at'] !== null) throw new Error(`the export ended: ${JSON.stringify(found)}`);
    await sleep(20);
  }
}
