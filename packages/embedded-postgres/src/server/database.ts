import pg from 'pg';

import type { Application } from '../application/application.ts';
import { EmbeddedPostgresError } from '../errors/embedded-postgres-error.ts';

/** Returns the connection URL of a database; default: the database of the application. */
export const databaseUrl = (
  port: number,
  password: string,
  application: Application,
  database: string = application.database,
): string => `postgres://${application.database}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

/** Error code of PostgreSQL: the database does not exist. */
const invalidCatalogName = '3D000';
/** Error code of PostgreSQL: the password is wrong. */
const invalidPassword = '28P01';

/**
 * Creates the database of the application unless it exists, and checks the password.
 *
 * `isNew` means that the cluster was just created and has only the database `postgres`. Throws
 * `data-missing` if the password is wrong.
 */
export async function ensureDatabase(
  port: number,
  password: string,
  isNew: boolean,
  application: Application,
): Promise<void> {
  try {
    const mayExist = !isNew || application.database === 'postgres';
    if (mayExist && (await exists(databaseUrl(port, password, application), application))) return;
    const admin = await connect(databaseUrl(port, password, application, 'postgres'), application);
    try {
      // By default, the server copies the database through its buffers, which then keep 10 MB of it.
      await admin.query(`CREATE DATABASE "${application.database}" STRATEGY file_copy`);
    } finally {
      await admin.end();
    }
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === invalidPassword) {
      throw new EmbeddedPostgresError(
        'data-missing',
        'The password in the file `postgres/password` of the data directory is not the password of the database. Restore the file that belongs to this database.',
        { cause: error },
      );
    }
    throw error;
  }
}

async function exists(url: string, application: Application): Promise<boolean> {
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
  // If the server ends, the query fails. Without this listener, the error event would also end the
  // process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
