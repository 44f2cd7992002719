import type pg from 'pg';

/** A statement of a floor. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Makes the table `plain_contacts` from the contacts of account 1: what a careful engineer would
 * make by hand if the attributes were known in advance. Each attribute is a column, without an index
 * until {@link indexPlainTable}.
 */
export async function makePlainTable(database: pg.Client): Promise<void> {
  await database.query(`
    create table plain_contacts (
      account_id integer not null,
      contact_key text not null collate "C",
      contact_id bigint not null,
      contact_type contact_type not null,
      mobile text,
      list_ids integer[] not null,
      created_at timestamptz not null,
      first_name text,
      last_name text,
      city text collate "C",
      birth_date date,
      score double precision,
      primary key (account_id, contact_key)
    )`);
  await database.query(`
    insert into plain_contacts
    select account_id, contact_key, contact_id, contact_type, mobile, list_ids, created_at, attributes ->> '1.1', attributes ->> '1.2',
      attributes ->> '1.5', (attributes ->> '1.4')::date, (attributes ->> '1.11')::double precision
    from contacts where account_id = 1`);
  const indexes = [
    'unique index plain_contact_id on plain_contacts (account_id, contact_id)',
    'index plain_created_at on plain_contacts (account_id, created_at desc, contact_id)',
    'index plain_mobile on plain_contacts (account_id, mobile)',
    'index plain_lists on plain_contacts using gin (account_id, list_ids)',
  ];
  for (const index of indexes) await database.query(`create ${index}`);
  await settle(database);
}

/** Gives SCORE, CITY and LAST_NAME of `plain_contacts` indexes for ranges, orders, and parts of texts. */
export async function indexPlainTable(database: pg.Client): Promise<void> {
  const indexes = [
    'index plain_score on plain_contacts (account_id, score, contact_id)',
    'index plain_score_descending on plain_contacts (account_id, score desc nulls last, contact_id)',
    'index plain_city on plain_contacts (account_id, city, contact_id)',
    'index plain_last_name on plain_contacts using gin (lower(last_name) gin_trgm_ops)',
  ];
  for (const index of indexes) await database.query(`create ${index}`);
  await settle(database);
}

/** Runs the vacuum and checkpoint that PostgreSQL would run some minutes later. */
async function settle(database: pg.Client): Promise<void> {
  await database.query('vacuum (analyze) plain_contacts');
  await database.query('checkpoint');
}

/** The columns of a page of `plain_contacts`. */
export const plainColumns = 'c.contact_id, c.contact_key, c.mobile, c.first_name, c.city';

/** The rows of a page of `plain_contacts`, by default the newest. */
export function plainPage(
  where: string,
  values: readonly unknown[],
  order = 'c.created_at desc, c.contact_id',
  offset = 0,
): Statement {
  const text = `select ${plainColumns} from plain_contacts c where c.account_id = 1 and ${where} order by ${order} limit 10 offset ${offset}`;
  return { text, values };
}

/** The number of contacts of `plain_contacts` that meet a condition. */
export function plainCount(where: string, values: readonly unknown[]): Statement {
  return { text: `select count(*) from plain_contacts c where c.account_id = 1 and ${where}`, values };
}

/**
 * Throws if a search and handwritten SQL return different contacts, orders or counts. `rows` are the
 * results of the page and, if the search counts, of the count.
 */
export function checkSameAnswer(
  name: string,
  answer: Record<string, unknown>,
  [page, count]: readonly pg.QueryResult[],
): void {
  const ids = (answer['data'] as { contact_id: number }[]).map((row) => row.contact_id);
  const byHand = page!.rows.map((row: { contact_id: string }) => Number(row.contact_id));
  if (JSON.stringify(ids) !== JSON.stringify(byHand)) throw new Error(`${name}: the pages differ`);
  if (count !== undefined && answer['count'] !== Number(count.rows[0].count)) {
    throw new Error(`${name}: the counts differ`);
  }
}
