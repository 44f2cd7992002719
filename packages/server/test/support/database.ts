import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { createClusterDatabase, isCluster, withDatabase } from './cluster.ts';

/** A database for one test file. Dispose it to drop the database. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
}

/** Creates a database as a copy of the migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = newName();
  // By default, PostgreSQL copies page by page through the WAL. A copy of the files takes a fifth of
  // that time.
  await onAll(`create database ${name} template roster_template strategy file_copy`);
  return testDatabase(name);
}

/** Creates a database without tables. On a cluster, it is on all servers, and has the extension. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = newName();
  if (isCluster) await createClusterDatabase(withDatabase(inject('templateUrl'), 'postgres'), name);
  else await onAll(`create database ${name}`);
  return testDatabase(name);
}

function newName(): string {
  return `roster_test_${randomBytes(6).toString('hex')}`;
}

function testDatabase(name: string): TestDatabase {
  return {
    url: withDatabase(inject('templateUrl'), name),
    [Symbol.asyncDispose]: async () => onAll(`drop database if exists ${name} with (force)`),
  };
}

/** Runs a statement about databases on each server. */
async function onAll(statement: string): Promise<void> {
  await Promise.all(inject('servers').map((server) => run(withDatabase(server, 'postgres'), statement)));
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
