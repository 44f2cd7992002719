import type pg from 'pg';
import { lists, person, type Person } from './people.ts';
import type { BenchService } from './support.ts';

/** The data with which a benchmark fills account 1. */
export interface Filling {
  readonly contacts: number;
  /** Returns the n-th contact. Default: {@link person}. */
  readonly contact?: (n: number) => Person;
  /** Number of lists, from audience_id 1. Default: {@link lists}. */
  readonly lists?: number;
}

/**
 * Loads contacts through the service, and runs the vacuum and checkpoint that PostgreSQL would run
 * some minutes later.
 */
export async function fill(service: BenchService, database: pg.Client, filling: Filling): Promise<void> {
  const { contacts, contact = person } = filling;
  await makeLists(service, database, filling.lists);
  await service.operator('PATCH', '', { settings: { auto_create_attributes: true } });
  await load(service, 0, contacts, contact);
  await database.query('vacuum (analyze) contacts');
  await database.query('checkpoint');
}

/** Makes the lists and the attribute SCORE, which is attribute 11. */
export async function makeLists(service: BenchService, database: pg.Client, last = lists): Promise<void> {
  for (let n = 2; n <= last; n++) await service.operator('POST', '/lists', { name: `List ${n}` });
  await database.query(`
    insert into attributes (account_id, attribute_id, name, data_type, created_at, updated_at) values (1, 11, 'SCORE', 'number', now(), now())`);
  await database.query('update account_numbers set last_attribute_id = 11 where account_id = 1');
}

/**
 * Sends the contacts from `first` to before `end`, 1,000 per request over 4 connections. Waits
 * until they are applied.
 */
export async function load(service: BenchService, first: number, end: number, contact = person): Promise<void> {
  let next = first;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (next < end) {
        const from = next;
        next += 1000;
        const part = Array.from({ length: Math.min(1000, end - from) }, (_, at) => {
          const { lists: listIds, ...rest } = contact(from + at);
          return { ...rest, audience_details: [{ audience_id: listIds }] };
        });
        await service.post('/contact/create', { data: { contact_type: 'identified', contacts: part } });
      }
    }),
  );
  await service.drained();
}
