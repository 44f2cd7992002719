import pg from 'pg';

import type { Application } from '../application/application.ts';
import { EmbeddedPostgresError } from '../errors/embedded-postgres-error.ts';

/** Connection URL of a database of the embedded server; the application's unless told otherwise. */
export const databaseUrl = (
  port: number,
  password: string,
  application: Application,
  database: string = application.database,
): string => `postgres://${application.database}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

/** PostgreSQL's code for a database that does not exist. */
const invalidCatalogName = '3D000';
/** PostgreSQL's code for a wrong password. */
const invalidPassword = '28P01';

/**
 * Makes sure that the database of the application exists and that the password opens it.
 *
 * `isNew` says that the cluster was just made: then it has only the database `postgres`. Throws
 * `data-missing` when the password is not the cluster's.
 */
export async function ensureDatabase(
  port: number,
  password: string,
  isNew: boolean,
  application: Application,
): Promise<void> {
  try {
    const isMade = !isNew || application.database === 'postgres';
    if (isMade && (await opens(databaseUrl(port, password, application), application))) return;
    const admin = await connect(databaseUrl(port, password, application, 'postgres'), application);
    try {
      await admin.query(`CREATE DATABASE "${application.database}"`);
    } finally {
      await admin.end();
    }
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === invalidPassword) {
      throw new EmbeddedPostgresError(
        'data-missing',
        'The database does not take the password in the file `postgres/password` of the data directory. Restore the file that belongs to this database.',
        { cause: error },
      );
    }
    throw error;
  }
}

async function opens(url: string, application: Application): Promise<boolean> {
  try {
    await (await connect(url, application)).end();
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === invalidCatalogName) return false;
    throw error;
  }
}

async function connect(connectionString: string, { name }: Application): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 10_000,
    application_name: `${name} start`,
  });
  // A server that dies under the connection shows in the query that fails; without a listener it
  // would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
