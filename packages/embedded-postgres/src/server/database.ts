import pg from 'pg';

import { EmbeddedPostgresError } from '../errors/embedded-postgres-error.ts';
import { roleName } from '../cluster/create-cluster.ts';

/** Connection URL of a database of the embedded server; `roster` unless told otherwise. */
export const databaseUrl = (port: number, password: string, database: string = roleName): string =>
  `postgres://${roleName}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

/** PostgreSQL's code for a database that does not exist. */
const invalidCatalogName = '3D000';
/** PostgreSQL's code for a wrong password. */
const invalidPassword = '28P01';

/**
 * Makes sure that the database `roster` exists and that the password opens it.
 *
 * `isNew` says that the cluster was just made, which saves one attempt. Throws `data-missing` when the password is not the cluster's.
 */
export async function ensureDatabase(port: number, password: string, isNew: boolean): Promise<void> {
  try {
    if (!isNew && (await opens(databaseUrl(port, password)))) return;
    const admin = await connect(databaseUrl(port, password, 'postgres'));
    try {
      await admin.query(`CREATE DATABASE ${roleName}`);
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

async function opens(url: string): Promise<boolean> {
  try {
    await (await connect(url)).end();
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === invalidCatalogName) return false;
    throw error;
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000, application_name: 'roster start' });
  // A server that dies under the connection shows in the query that fails; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
