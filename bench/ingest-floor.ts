import type pg from 'pg';
import { arrayLiteral } from '../packages/server/src/db/text-format.ts';
import { person, type Person } from './people.ts';

// Attribute keys of the columns of a person, as the service makes them for account 1.
const attributeIds: Record<string, string> = {
  FIRST_NAME: '1.1',
  LAST_NAME: '1.2',
  CITY: '1.5',
  BIRTH_DATE: '1.4',
  LANGUAGE: '1.9',
  SCORE: '1.11',
};
const upsert = (table: string): string => `
  insert into ${table} as c (account_id, contact_key, contact_type, email, mobile, attributes, list_ids, created_at, updated_at)
  select 1, key, 'identified', key, mobile, attributes::jsonb, list_ids::int[], now(), now()
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as u (key, mobile, attributes, list_ids)
  on conflict (account_id, contact_key) do update set
    email = excluded.email, mobile = excluded.mobile, attributes = c.attributes || excluded.attributes,
    list_ids = case when c.list_ids @> excluded.list_ids then c.list_ids
      else array(select distinct unnest(c.list_ids || excluded.list_ids) order by 1) end,
    updated_at = excluded.updated_at`;

/** One set-based upsert after the other, on one connection, into a table with the columns and indexes of the contacts. */
export interface Floor {
  /** Rows a statement. */
  readonly rows: number;
  /** Writes the people and answers the seconds that it took; the parameters are ready before the clock starts. */
  upsert(order: readonly number[], version: number): Promise<number>;
}

/** Makes the table of a floor, empty; `make` makes the people by their numbers. */
export async function createFloor(database: pg.Client, rows: number, make = person): Promise<Floor> {
  const table = `floor_${rows}`;
  await database.query(`create table ${table} (like contacts including all)`);
  return {
    rows,
    async upsert(order, version) {
      const batches: string[][] = [];
      for (let from = 0; from < order.length; from += rows) {
        batches.push(parameters(order.slice(from, from + rows).map((n) => make(n, version))));
      }
      const started = performance.now();
      for (const values of batches) await database.query({ name: table, text: upsert(table), values });
      return (performance.now() - started) / 1000;
    },
  };
}

function parameters(people: readonly Person[]): string[] {
  return [
    arrayLiteral(people.map((one) => one.identity)),
    arrayLiteral(people.map((one) => one.mobile)),
    arrayLiteral(people, ({ attributes }) =>
      JSON.stringify(
        Object.fromEntries(Object.entries(attributes).map(([name, value]) => [attributeIds[name]!, value])),
      ),
    ),
    arrayLiteral(people, ({ lists }) => `{${lists.join(',')}}`),
  ];
}
