import { randomBytes } from 'node:crypto';
import { mkdtempDisposable } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { runChecks } from '#app/cli/doctor/run-checks.ts';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';

const log = pino({ level: 'silent' });
const serverUrl = new URL(inject('templateUrl'));
serverUrl.pathname = '/postgres';

const made: string[] = [];
const admin = new pg.Client({ connectionString: serverUrl.href });
await admin.connect();
const { rows } = await admin.query<{ version: number }>(`select current_setting('server_version_num')::int as version`);
const version = rows[0]!.version;
afterAll(async () => {
  for (const name of made) await admin.query(`drop database if exists ${name} with (force)`);
  await admin.end();
});

/** Creates an empty database with the given options of CREATE DATABASE, and returns its URL. */
async function makeDatabase(words: string): Promise<string> {
  const name = `roster_text_${randomBytes(6).toString('hex')}`;
  await admin.query(`create database ${name} template template0 ${words}`);
  made.push(name);
  return urlOf(name);
}

function urlOf(name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

// Before PostgreSQL 17 the default provider is that of template0, which initdb may have created
// with ICU.
const localeC = "encoding 'UTF8' locale_provider libc locale 'C'";

async function tableCount(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace`,
    );
    return rows[0]!.count;
  } finally {
    await client.end();
  }
}

describe('a database that does not fold letter case', () => {
  test('the start refuses such a database before it creates anything in it', async () => {
    const url = await makeDatabase(localeC);
    const refusal = await migrateToLatest(url, log).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: 'MigrationError', message: expect.stringContaining('MÜNCHEN') as string });
    expect(await tableCount(url)).toBe(0);
  });

  test('roster doctor shows such a database as a fault', async () => {
    const url = await makeDatabase(localeC);
    await using dataDir = await mkdtempDisposable(path.join(os.tmpdir(), 'roster-folding-'));
    const findings = await runChecks({ DATABASE_URL: url, ROSTER_DATA_DIR: dataDir.path, PORT: '1' });
    expect(findings).toContainEqual({
      check: 'database',
      severity: 'fault',
      message: expect.stringContaining("lower('Ü') is not 'ü'") as string,
      advice: expect.stringContaining('create database') as string,
    });
  });

  test('the refusal has a statement that creates a database in which the service starts', async () => {
    const url = await makeDatabase(localeC);
    const refusal = await migrateToLatest(url, log).catch((error: unknown) => error);
    const statement = /create database (\w+) .*?;/.exec((refusal as Error).message);
    expect(statement).not.toBeNull();
    const [text, name] = statement!;
    made.push(name!);
    await admin.query(text);
    await migrateToLatest(urlOf(name!), log);
    expect(await tableCount(urlOf(name!))).toBeGreaterThan(10);
  });

  test('a database whose encoding is not UTF8 is refused', async () => {
    const url = await makeDatabase("encoding 'SQL_ASCII' locale_provider libc locale 'C'");
    await expect(migrateToLatest(url, log)).rejects.toThrow('The encoding of the database is SQL_ASCII');
    const japanese = await makeDatabase("encoding 'EUC_JP' locale_provider libc locale 'C'");
    await expect(migrateToLatest(japanese, log)).rejects.toThrow('The encoding of the database is EUC_JP');
  });
});

test('a database with an ICU locale folds letter case and is accepted', async () => {
  const url = await makeDatabase("encoding 'UTF8' locale_provider icu icu_locale 'und' locale 'C'");
  await migrateToLatest(url, log);
  expect(await tableCount(url)).toBeGreaterThan(10);
});

test('a database with the builtin locale C is refused, and with C.UTF-8 accepted', async ({ skip }) => {
  if (version < 170_000) skip();
  const plain = await makeDatabase("encoding 'UTF8' locale_provider builtin builtin_locale 'C' locale 'C'");
  await expect(migrateToLatest(plain, log)).rejects.toThrow('does not fold letter case');
  const good = await makeDatabase("encoding 'UTF8' locale_provider builtin builtin_locale 'C.UTF-8' locale 'C'");
  await migrateToLatest(good, log);
});
