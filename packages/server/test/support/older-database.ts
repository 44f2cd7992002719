import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { createEmptyDatabase } from './database.ts';

/** A database as an older version left it. Dispose it to drop the database. */
export interface OlderDatabase extends AsyncDisposable {
  readonly client: pg.Client;
  /** Runs the next migration. */
  migrate(): Promise<void>;
}

/** Creates a database without rows, in which all migrations before `migration` have run. */
export async function databaseBefore(migration: string): Promise<OlderDatabase> {
  const database = await createEmptyDatabase();
  const client = new pg.Client({ connectionString: database.url });
  const directory = new URL('../../src/platform/database/schema/migrations/', import.meta.url);
  const run = async (name: string) => client.query(await readFile(new URL(name, directory), 'utf8'));
  async function dispose(): Promise<void> {
    await client.end();
    await database[Symbol.asyncDispose]();
  }
  try {
    await client.connect();
    const names = (await readdir(directory)).sort();
    const next = names.indexOf(`${migration}.sql`);
    if (next === -1) throw new Error(`there is no migration ${migration}`);
    for (const name of names.slice(0, next)) await run(name);
    return { client, migrate: async () => void (await run(names[next]!)), [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
