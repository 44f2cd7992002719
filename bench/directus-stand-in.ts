import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';

/** A search of the stand-in: a condition in the SQL of Directus, and its parameters. */
export interface DirectusSearch {
  readonly where: string;
  readonly values: readonly unknown[];
}

/** A server that answers searches like Directus. */
export interface DirectusStandIn extends AsyncDisposable {
  readonly url: string;
}

/**
 * Makes the table `directus_contacts` from the contacts of account 1, as Directus makes a
 * collection. Indexes are made only on the fields that have the setting.
 */
export async function makeDirectusTable(database: pg.Client): Promise<void> {
  await database.query(`
    create table directus_contacts (
      id bigint primary key,
      contact_type varchar(255),
      email varchar(255),
      mobile varchar(255),
      first_name varchar(255),
      last_name varchar(255),
      city varchar(255),
      birth_date date,
      score integer,
      created_at timestamptz
    )`);
  await database.query(`
    insert into directus_contacts
    select contact_id, contact_type::text, contact_key, mobile, attributes ->> '1.1', attributes ->> '1.2', attributes ->> '1.5',
      (attributes ->> '1.4')::date, (attributes ->> '1.11')::integer, created_at
    from contacts where account_id = 1`);
  for (const field of ['email', 'mobile', 'created_at']) await indexField(database, field);
  await database.query('vacuum (analyze) directus_contacts');
}

/** Gives a field the index that the setting of Directus makes. */
export async function indexField(database: pg.Client, field: string): Promise<void> {
  await database.query(`create index on directus_contacts (${field})`);
}

/**
 * Starts an HTTP server that sends the two statements of Directus one after the other: the page,
 * and `filter_count`. It is faster than Directus, because it does nothing else: no authentication,
 * no permissions, no queries that it builds from a schema.
 */
export async function startDirectusStandIn(database: pg.Client): Promise<DirectusStandIn> {
  const server = createServer((request, response) => {
    void (async () => {
      const { where, values } = (await json(request)) as DirectusSearch;
      const page = await database.query(
        `select "directus_contacts"."id", "directus_contacts"."email", "directus_contacts"."mobile",
           "directus_contacts"."first_name", "directus_contacts"."city"
         from "directus_contacts" where ${where}
         order by "directus_contacts"."created_at" desc, "directus_contacts"."id" asc limit $${values.length + 1}`,
        [...values, 10],
      );
      const count = await database.query<{ count: string }>(
        `select count(*) as "count" from "directus_contacts" where ${where}`,
        [...values],
      );
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: page.rows, meta: { filter_count: Number(count.rows[0]!.count) } }));
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
