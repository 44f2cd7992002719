import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { withDatabase } from './cluster.ts';

/** A database for one test file. Dispose it to drop the database. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
}

/** Creates a database as a copy of the migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `roster_test_${randomBytes(6).toString('hex')}`;
  const onAll = (statement: string): Promise<unknown> =>
    Promise.all(inject('servers').map((server) => run(withDatabase(server, 'postgres'), statement)));
  // By default, PostgreSQL copies page by page through the WAL. A copy of the files takes a fifth of
  // that time.
  await onAll(`create database ${name} template roster_template strategy file_copy`);
  return {
    url: withDatabase(inject('templateUrl'), name),
    [Symbol.asyncDispose]: async () => void (await onAll(`drop database if exists ${name} with (force)`)),
  };
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Test files copy the template concurrently. PostgreSQL refuses a copy while another one reads
    // the template: try again.
    for (let attempt = 0; ; attempt++) {
      try {
        await client.query(statement);
        return;
      } catch (error) {
        if (attempt > 100 || !(error instanceof pg.DatabaseError) || error.code !== '55006') throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  } finally {
    await client.end();
  }
}
