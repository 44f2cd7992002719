import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import type { TestProject } from 'vitest/node';
import { startThrowawayPostgres } from '../../src/platform/database/embedded-postgres.ts';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';
import { createClusterDatabase, distributeTemplate, isCluster, serversOf } from './cluster.ts';
import { createAccountPartitions } from './account-partitions.ts';
import { readTestSeed } from './seed.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the database `roster_template`, which is migrated, empty and without connections. */
    templateUrl: string;
    /** URLs of the servers with the template. The first one is in {@link templateUrl}. */
    servers: string[];
    /** The seed of property and fuzz tests. It is the same for all files of a run. */
    testSeed: number;
  }
}

/**
 * Starts one PostgreSQL server for the whole run, with a migrated template that each test file
 * copies. To run the tests on another server, set `ROSTER_TEST_DATABASE_URL` to a database on it.
 * The user must be allowed to create databases.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const testSeed = readTestSeed();
  const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-tests-'));
  const outsideReport = path.join(directory, 'report');
  process.env['ROSTER_TEST_OUTSIDE_REPORT'] = outsideReport;
  // The processes that tests start then load compiled code, like `roster serve` does by itself.
  process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, '../../../../node_modules/.cache/roster');
  project.provide('testSeed', testSeed);
  if (process.env['ROSTER_TEST_SEED'])
    project.vitest.logger.log(`Seed of the property tests: ROSTER_TEST_SEED=${testSeed}`);
  const preparedDirectories = path.join(directory, 'prepared');
  await mkdir(preparedDirectories);
  // PostgreSQL may run as another user.
  for (const one of [directory, preparedDirectories]) await chmod(one, 0o711);
  project.provide('preparedDirectories', preparedDirectories);
  const log = pino({ level: 'silent' });
  const given = process.env['ROSTER_TEST_DATABASE_URL'];
  // This server does not wait for the disk, and does not need whole pages in the WAL to survive a
  // loss of power. Tests of durability start their own servers.
  const settings = { shared_buffers: '256MB', full_page_writes: 'off' };
  const server = given === undefined ? await startThrowawayPostgres(settings) : undefined;
  const template = new URL(given ?? server!.url);
  project.provide('servers', isCluster ? await serversOf(template.href) : [template.href]);
  if (isCluster) await createClusterDatabase(template.href, 'roster_template');
  else {
    const admin = new pg.Client({ connectionString: template.href });
    await admin.connect();
    await admin.query('drop database if exists roster_template with (force)');
    await admin.query('create database roster_template');
    await admin.end();
  }
  template.pathname = '/roster_template';
  await migrateToLatest(template.href, log);
  if (!isCluster) await createAccountPartitions(template.href);
  if (isCluster) await distributeTemplate(template.href);
  project.provide('templateUrl', template.href);
  return async () => {
    await server?.stop();
    const outside = await readFile(outsideReport, 'utf8').catch(() => '');
    await rm(directory, { recursive: true, force: true });
    if (outside !== '') throw new Error(`The tests tried to connect to other machines:\n\n${outside}`);
  };
}
