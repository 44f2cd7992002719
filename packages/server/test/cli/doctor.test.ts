import { mkdir, mkdtempDisposable, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { checkCallbacks } from '#app/cli/doctor/callbacks.ts';
import { checkClock } from '#app/cli/doctor/clock.ts';
import { checkDisk } from '#app/cli/doctor/disk.ts';
import { adviceForDirectory } from '#app/cli/doctor/export-store.ts';
import { checkLoad } from '#app/cli/doctor/load.ts';
import { checkSchema } from '#app/cli/doctor/schema.ts';
import { runChecks } from '#app/cli/doctor/run-checks.ts';
import type { NamedFinding } from '#app/cli/doctor/findings/finding.ts';
import { maxConnections } from '#platform/config/connections.ts';
import { openLease } from '#platform/jobs/lease.ts';
import { parseAllowList } from '#platform/config/allow-list.ts';
import { forFile } from '../support/for-file.ts';
import { startSmtp } from '../support/smtp.ts';
import { startTestService } from '../support/service.ts';
import { testAdminToken, testLayout } from '../support/context.ts';

const { path: dataDir } = await forFile(mkdtempDisposable(path.join(os.tmpdir(), 'roster-doctor-')));
const service = await forFile(startTestService({ worker: false }));
await mkdir(path.join(dataDir, 'exports'));

const severities = (findings: readonly NamedFinding[], check: string): string[] =>
  findings.filter((one) => one.check === check).map(({ severity }) => severity);

describe('roster doctor', () => {
  test('doctor finds no fault in a working database and mail server, and notes that no service runs', async () => {
    await using smtp = await startSmtp();
    const findings = await runChecks({
      DATABASE_URL: service.context.config.databaseUrl,
      ...testLayout,
      ROSTER_DATA_DIR: dataDir,
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      ROSTER_MAIL_FROM: 'roster@example.com',
      ROSTER_CALLBACK_ALLOW: 'localhost:8080,10.1.0.0/16',
      PORT: '1',
    });
    for (const check of ['settings', 'migrations', 'clock', 'mail', 'export store']) {
      expect(severities(findings, check), check).toEqual(['ok']);
    }
    // The server of the tests runs with fsync off, which doctor warns about.
    expect(severities(findings, 'database')).toEqual(['ok', 'warning']);
    expect(findings).toContainEqual(expect.objectContaining({ message: expect.stringContaining('fsync = off') }));
    expect(severities(findings, 'service')).toEqual(['note']);
    expect(findings.filter(({ severity }) => severity === 'fault')).toEqual([]);
    expect(smtp.mails).toEqual([]);
  });

  test('doctor warns of variables that are not settings, and when no worker runs', async () => {
    const findings = await runChecks({
      DATABASE_URL: service.context.config.databaseUrl,
      ...testLayout,
      ROSTER_DATA_DIR: dataDir,
      ROSTER_WORKER_LANES: '4',
      ROSTER_URL: 'http://127.0.0.1:1',
      PORT: '1',
    });
    const warnings = findings.filter(({ severity }) => severity === 'warning').map(({ message }) => message);
    expect(warnings).toContain('ROSTER_WORKER_LANES is not a setting, so it has no effect.');
    expect(warnings.filter((message) => message.includes('not a setting'))).toHaveLength(1);
    const advice = findings.find(({ message }) => message.includes('not a setting'))?.advice;
    expect(advice).toBe('Did you mean ROSTER_WORKER_LOOPS? docs/config.md lists all settings.');
    expect(warnings).toContainEqual(expect.stringContaining('No worker runs.'));

    const pool = new pg.Client({ connectionString: service.context.config.databaseUrl! });
    await pool.connect();
    await using lease = await openLease(service.context);
    await lease.addPool('of this test');
    expect(await checkLoad(pool, service.context.config)).toContainEqual({ severity: 'ok', message: '1 worker runs.' });
    await pool.end();
  });

  test('doctor names the account that stores most files, and warns when its quota is nearly used up', async () => {
    const { import_id: id } = (await service.first.operator('POST', '/imports', {})).body;
    await service.call('PUT', `/admin/v1/accounts/1/imports/${id}/file`, {
      body: Buffer.from('E'),
      headers: { authorization: `Bearer ${testAdminToken}`, 'content-range': `bytes 0-0/${50 * 1024 ** 2}` },
    });
    const client = new pg.Client({ connectionString: service.context.config.databaseUrl! });
    await client.connect();
    const message = 'Imports and exports store 50 MiB. Account 1 has most of it: 50 MiB.';
    expect(await checkLoad(client, service.context.config)).toContainEqual({ severity: 'ok', message });
    expect(await checkLoad(client, { ...service.context.config, filesPerAccountMb: 51 })).toContainEqual(
      expect.objectContaining({ severity: 'warning', message: `${message} An account can store 51 MiB.` }),
    );
    await client.end();
    await service.first.operator('POST', `/imports/${id}/cancel`);
  });

  test('doctor says what to fix when nothing is reachable', async () => {
    const findings = await runChecks({
      DATABASE_URL: 'postgres://roster:secret@127.0.0.1:1/roster',
      ROSTER_DATA_DIR: dataDir,
      SMTP_URL: 'smtp://127.0.0.1:1',
      ROSTER_MAIL_FROM: 'roster@example.com',
      PORT: '1',
    });
    expect(severities(findings, 'database')).toEqual(['fault']);
    expect(severities(findings, 'mail')).toEqual(['fault']);
    expect(severities(findings, 'migrations')).toEqual([]);
    for (const { severity, advice } of findings)
      if (severity === 'fault') expect(advice).toMatch(/DATABASE_URL|SMTP_URL/);
    expect(JSON.stringify(findings)).not.toContain('secret');
  });

  test('doctor names every invalid setting', async () => {
    const findings = await runChecks({ PORT: 'http', ROSTER_ROLE: 'everything' });
    expect(findings.map(({ check, severity, message }) => `${check} ${severity} ${message.split(' ')[0]}`)).toEqual([
      'settings fault PORT',
      'settings fault ROSTER_ROLE',
    ]);
  });

  test('an embedded database that does not run is not a fault', async () => {
    const findings = await runChecks({ ROSTER_DATA_DIR: dataDir, PORT: '1' });
    expect(severities(findings, 'database')).toEqual(['note']);
  });

  test('an embedded database that cannot start is a fault', async () => {
    await using directory = await mkdtempDisposable(path.join(os.tmpdir(), 'roster-doctor-'));
    await mkdir(path.join(directory.path, 'postgres'));
    await symlink('/nowhere/cluster', path.join(directory.path, 'postgres', 'cluster'));
    const findings = await runChecks({ ROSTER_DATA_DIR: directory.path, PORT: '1' });
    expect(findings.find(({ check }) => check === 'database')).toMatchObject({
      severity: 'fault',
      message: expect.stringContaining('its target does not exist'),
    });
  });
});

describe('the checks of doctor', () => {
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: service.context.config.databaseUrl });
    await client.connect();
    return client;
  };

  test('the check of the schema tells an older database from a newer one', async () => {
    const client = await connect();
    try {
      await client.query('begin');
      await client.query(`delete from kysely_migration where name = (select max(name) from kysely_migration)`);
      expect(await checkSchema(client)).toMatchObject(
        [{ severity: 'warning', message: /1 of \d+ migrations/ }].map(() => ({ severity: 'warning' })),
      );
      await client.query(`insert into kysely_migration (name, timestamp) values ('9999_future', '')`);
      expect(await checkSchema(client)).toMatchObject([{ severity: 'fault' }]);
      await client.query(
        `update kysely_migration set name = '0001_another' where name = (select min(name) from kysely_migration)`,
      );
      expect(await checkSchema(client)).toMatchObject([
        { severity: 'fault', message: expect.stringContaining('0001_another') },
      ]);
      await client.query('drop table kysely_migration');
      expect(await checkSchema(client)).toMatchObject([
        { severity: 'fault', message: expect.stringContaining('tables that Roster did not make') },
      ]);
      await client.query('set search_path to pg_temp');
      expect(await checkSchema(client)).toMatchObject([{ severity: 'warning' }]);
    } finally {
      await client.query('rollback');
      await client.end();
    }
  });

  test('the check of the clock reports how far it is off', async () => {
    const client = await connect();
    try {
      expect(await checkClock(client)).toMatchObject([{ severity: 'ok' }]);
      expect(await checkClock(client, () => Date.now() - 10_000)).toMatchObject([{ severity: 'warning' }]);
      const [late] = await checkClock(client, () => Date.now() + 120_000);
      expect(late).toMatchObject({ severity: 'fault', message: expect.stringContaining('behind') as string });
    } finally {
      await client.end();
    }
  });

  test('the check of the load names an index that has grown and was not rebuilt', async () => {
    const client = await connect();
    try {
      await client.query(`insert into index_sizes (index_name, measured_at, bytes, fresh_bytes)
        values ('contacts_attributes', now(), 900 * 1024 * 1024, 100 * 1024 * 1024), ('contacts_mobile', now(), 200 * 1024 * 1024, 100 * 1024 * 1024)`);
      const findings = await checkLoad(client, service.context.config);
      expect(findings.filter(({ severity }) => severity === 'warning').map(({ message }) => message)).toEqual([
        expect.stringContaining('No worker runs.'),
        expect.stringContaining('The index contacts_attributes has 900 MiB'),
      ]);
    } finally {
      await client.query('delete from index_sizes');
      await client.end();
    }
  });

  test('the check of the load names the account whose requests wait for too long', async () => {
    const account = await service.createAccount();
    const body = { data: { contact_type: 'identified', contacts: [{ identity: 'person@example.com' }] } };
    expect((await account.v5('/contact/create', body)).status).toBe(200);
    const client = await connect();
    try {
      await client.query(`update request_queue set accepted_at = now() - interval '5 minutes'`);
      const findings = await checkLoad(client, service.context.config);
      expect(findings.filter(({ severity }) => severity === 'warning').map(({ message }) => message)).toEqual([
        expect.stringContaining('No worker runs.'),
        `1 accepted request waits to be applied. The oldest, of account ${account.accountId}, has waited for 300 s.`,
      ]);
    } finally {
      await client.query('delete from request_queue');
      await client.end();
    }
  });

  test('the check of the load names live segments that are broken, and changes that wait for long', async () => {
    const client = await connect();
    try {
      await client.query(`insert into live_segments (account_id, audience_id, live_id, state, clock_at, started_at)
        values (1, 1, 1, 'broken', now(), now()), (1, 2, 2, 'following', now(), now())`);
      await client.query(`insert into live_pending (account_id, pending_id, changed_at, contact_ids)
        values (1, gen_random_uuid(), now() - interval '5 minutes', '{1}')`);
      const findings = await checkLoad(client, service.context.config);
      expect(findings.filter(({ severity }) => severity === 'warning').map(({ message }) => message)).toEqual([
        expect.stringContaining('No worker runs.'),
        '1 of 2 live segments are not followed, because their filter no longer fits the account.',
        'Live segments are 300 s behind.',
      ]);
    } finally {
      await client.query('delete from live_segments');
      await client.query('delete from live_pending');
      await client.end();
    }
  });

  test('the check of the load adds up the connections that all processes can open', async () => {
    const client = await connect();
    try {
      const { rows } = await client.query<{ permitted: number }>(
        `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as permitted`,
      );
      const { permitted } = rows[0]!;
      // The test service is one API process, and the lease stands for one worker.
      await using lease = await openLease(service.context);
      await lease.addPool('of a worker');
      const settings = { databasePoolSize: permitted, workerLoops: 2, filesPerAccountMb: 0 };
      const message = `The running processes (API: 1, workers: 1) can open ${maxConnections(settings, 'all')} connections with these settings. The server permits ${permitted}.`;
      const finding = expect.objectContaining({ severity: 'warning', message });
      await expect.poll(async () => checkLoad(client, settings)).toContainEqual(finding);

      const small = { databasePoolSize: 4, workerLoops: 1, filesPerAccountMb: 0 };
      const enough = { severity: 'ok', message: expect.stringContaining(`open ${maxConnections(small, 'all')} `) };
      expect(await checkLoad(client, small)).toContainEqual(enough);
    } finally {
      await client.end();
    }
  });

  test('the check of the disk reports the free space', async () => {
    const at = (bytes: number) => checkDisk({ dataDir }, async () => bytes);
    expect(await at(50e9)).toMatchObject([{ severity: 'ok' }]);
    expect(await at(1e9)).toMatchObject([{ severity: 'warning' }]);
    expect(await at(1e6)).toMatchObject([{ severity: 'fault' }]);
    expect(await checkDisk({ dataDir: path.join(dataDir, 'new', 'place') }, async () => 50e9)).toMatchObject([
      { severity: 'note' },
      { severity: 'ok' },
    ]);
  });

  test('the advice about a directory that takes no export files fits the reason', () => {
    const advice = (code: string): string => adviceForDirectory(Object.assign(new Error(code), { code }));
    expect(advice('ENOSPC')).toContain('Free some space');
    expect(advice('EDQUOT')).toContain('Free some space');
    expect(advice('EROFS')).toContain('Mount the disk');
    expect(advice('EACCES')).toContain('Give this user the right to write');
  });

  test('the check of callbacks resolves the allowed hosts', async () => {
    const callbackAllow = parseAllowList('crm.internal,gone.internal:8080,10.1.0.0/16');
    const findings = await checkCallbacks({ callbackAllow }, async (host) =>
      host.startsWith('gone') ? [] : ['10.1.2.3'],
    );
    expect(findings.map(({ severity }) => severity)).toEqual(['ok', 'warning', 'ok']);
  });

  test('the check of callbacks looks up no host when none is allowed', async () => {
    const asked: string[] = [];
    const findings = await checkCallbacks({ callbackAllow: parseAllowList('') }, async (host) => {
      asked.push(host);
      return [];
    });
    expect(findings).toMatchObject([{ severity: 'note' }]);
    expect(asked).toEqual([]);
  });
});
