import { plainColumns, plainCount, plainPage, type Statement } from './plain-table.ts';

/** A query of the benchmark: the request of a client, and equivalent handwritten SQL. */
export interface SearchCase {
  readonly name: string;
  /** Returns the body of the search. Its values change from run to run. */
  readonly body: (run: number) => object;
  /** Returns the handwritten SQL. The statements of a run (page and count) are sent together. */
  readonly floor: (run: number) => Statement[];
  /** The same on a table with plain, indexed columns (plain-table.ts). */
  readonly plain: (run: number) => Statement[];
}

const fields = ['contact_id', 'EMAIL', 'MOBILE', 'FIRST_NAME', 'CITY'];

/** Makes the body of a search: contacts that match all conditions, with five fields. */
export const search = (conditions: object[], output: object = {}) => ({
  filtering_criteria: conditions.length === 0 ? [] : [{ condition_details: conditions }],
  output: { fields, ...output },
});

const columns = `c.contact_id, c.email, c.mobile, c.attributes ->> '1.1', c.attributes ->> '1.5'`;
const condition = (field: string, operation: string, value: unknown) => ({ field, operation, value });
// The index on created_at has blocks of contact_ids (docs/decisions/0038-disk-of-a-contact.md).
const newestFirst = 'c.created_at desc, c.contact_id >> 5, c.contact_id';
const page = (where: string, values: readonly unknown[]): Statement => ({
  text: `select ${columns} from contacts c where c.account_id = 1 and ${where} order by ${newestFirst} limit 10`,
  values,
});
const count = (where: string, values: readonly unknown[]): Statement => ({
  text: `select count(*) from contacts c where c.account_id = 1 and ${where}`,
  values,
});

const members = `c.contact_type = 'identified' and c.list_ids && array[$1::int]`;
// On the contacts, this statement reads all contacts before the page, as any single statement must.
const deepPage = (table: string, block = '') => `
  select created_at, contact_id from ${table} where account_id = 1 order by created_at desc, ${block}contact_id offset $1 limit 10`;

/** Returns the queries of docs/benchmarks.md. */
export function searchCases(contacts: number): SearchCase[] {
  const city = (run: number) => `City ${(run + 200) % 200}`;
  const hit = (run: number) => ((run + 100) * 7919) % contacts;
  return [
    {
      name: 'equality on an attribute, with count',
      body: (run) => search([condition('CITY', 'equals', city(run))], { get_count: true }),
      floor: (run) => {
        const values = [JSON.stringify({ '1.5': city(run) })];
        return [page('c.attributes @> $1::jsonb', values), count('c.attributes @> $1::jsonb', values)];
      },
      plain: (run) => [plainPage('c.city = $1', [city(run)]), plainCount('c.city = $1', [city(run)])],
    },
    {
      name: 'list + type, newest first',
      body: (run) =>
        search(
          [condition('contact_type', 'equals', 'identified'), condition('list_id', 'equals', 1 + ((run + 5) % 5))],
          {
            sorting: [{ field: 'created_at', direction: 'desc' }],
          },
        ),
      floor: (run) => [page(members, [1 + ((run + 5) % 5)])],
      plain: (run) => [plainPage(members, [1 + ((run + 5) % 5)])],
    },
    {
      name: 'two attributes, with count',
      body: (run) =>
        search([condition('CITY', 'equals', city(run)), condition('SCORE', 'equals', (run + 5) * 3)], {
          get_count: true,
        }),
      floor: (run) => {
        const values = [JSON.stringify({ '1.5': city(run), '1.11': (run + 5) * 3 })];
        return [page('c.attributes @> $1::jsonb', values), count('c.attributes @> $1::jsonb', values)];
      },
      plain: (run) => {
        const values = [city(run), (run + 5) * 3];
        return [plainPage('c.city = $1 and c.score = $2', values), plainCount('c.city = $1 and c.score = $2', values)];
      },
    },
    {
      name: 'range on an attribute, with count',
      body: (run) => search([condition('SCORE', 'between', [100 + run, 140 + run])], { get_count: true }),
      floor: (run) => {
        const where = `c.attributes -> '1.11' between $1::jsonb and $2::jsonb`;
        const values = [String(100 + run), String(140 + run)];
        return [page(where, values), count(where, values)];
      },
      plain: (run) => {
        const values = [100 + run, 140 + run];
        return [plainPage('c.score between $1 and $2', values), plainCount('c.score between $1 and $2', values)];
      },
    },
    {
      name: 'contains, with count',
      body: (run) => search([condition('LAST_NAME', 'contains', `t${1000 + run}`)], { get_count: true }),
      floor: (run) => {
        const values = [`%t${1000 + run}%`];
        return [page(`c.attributes ->> '1.2' ilike $1`, values), count(`c.attributes ->> '1.2' ilike $1`, values)];
      },
      plain: (run) => {
        const values = [`%t${1000 + run}%`];
        const where = 'lower(c.last_name) like lower($1)';
        return [plainPage(where, values), plainCount(where, values)];
      },
    },
    {
      name: 'page 10,000 of everything',
      body: () => search([], { pagination: { page: Math.min(10_000, contacts / 10), limit: 10 } }),
      floor: () => [
        {
          text: `select ${columns} from (${deepPage('contacts', 'contact_id >> 5, ')}) p join contacts c on c.account_id = 1 and c.contact_id = p.contact_id
            order by c.created_at desc, c.contact_id`,
          values: [(Math.min(10_000, contacts / 10) - 1) * 10],
        },
      ],
      plain: () => [
        {
          text: `select ${plainColumns} from (${deepPage('plain_contacts')}) p
            join plain_contacts c on c.account_id = 1 and c.contact_id = p.contact_id order by c.created_at desc, c.contact_id`,
          values: [(Math.min(10_000, contacts / 10) - 1) * 10],
        },
      ],
    },
    {
      name: 'by contact_id',
      body: (run) => search([condition('contact_id', 'equals', hit(run) + 1)]),
      floor: (run) => [page('c.contact_id = $1', [hit(run) + 1])],
      plain: (run) => [plainPage('c.contact_id = $1', [hit(run) + 1])],
    },
    {
      name: 'by MOBILE',
      body: (run) => search([condition('MOBILE', 'equals', String(910_000_000_000 + hit(run) * 7))]),
      floor: (run) => [page('c.mobile = $1', [String(910_000_000_000 + hit(run) * 7)])],
      plain: (run) => [plainPage('c.mobile = $1', [String(910_000_000_000 + hit(run) * 7)])],
    },
  ];
}
