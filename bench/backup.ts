/**
 * Measures backups and restores of a filled database with the command line. The floor is COPY of
 * the same tables on one connection in the same run.
 *
 * `npm run bench:backup -- [--contacts 1000000] [--runs 3]`
 */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs, promisify } from 'node:util';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { fill } from './fill.ts';
import { quantile, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: { contacts: { type: 'string', default: '1000000' }, runs: { type: 'string', default: '3' } },
});
const contacts = Number(options.contacts);
const runs = Number(options.runs);
const program = path.join(path.dirname(import.meta.dirname), 'packages/server/src/app/bin/roster.ts');

const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-bench-backup-'));
// If root starts it, PostgreSQL runs as another user, who must have access to the directory.
await chmod(directory, 0o711);
try {
  await using service = await startBenchService();
  const database = await service.database();
  await fill(service, database, { contacts });

  const backups: Facts[] = [];
  const floors: number[] = [];
  // The first run warms up.
  for (let run = -1; run < runs; run++) {
    const backup = await roster(service.dataDir, ['backup', '--to', path.join(directory, 'backups')]);
    const floor = await copyEverything(database);
    if (run >= 0) {
      backups.push(backup);
      floors.push(floor);
    }
  }
  await database.end();
  const restore = await roster(path.join(directory, 'restored'), [
    'restore',
    '--from',
    path.join(directory, 'backups'),
  ]);
  if (restore.rows !== backups.at(-1)!.rows)
    throw new Error('the restore and the backup have different numbers of rows');

  const { rows, bytes } = backups.at(-1)!;
  const [seconds, floor] = [backups.map((one) => one.seconds), floors].map((values) => quantile(values, 0.5));
  console.log(`${contacts} contacts, ${rows} rows; medians of ${runs} runs, in seconds`);
  console.log(`| backup | floor (COPY) | backup / floor | size, MB | restore |\n|---|---|---|---|---|`);
  const cells = [
    seconds!.toFixed(1),
    floor!.toFixed(1),
    (seconds! / floor!).toFixed(2),
    ((bytes ?? 0) / 1e6).toFixed(0),
  ];
  console.log(`| ${cells.join(' | ')} | ${restore.seconds.toFixed(1)} |`);
} finally {
  await rm(directory, { recursive: true, force: true });
}

/** The JSON output of a command, with its time in seconds. */
interface Facts {
  readonly rows: number;
  readonly bytes?: number;
  readonly seconds: number;
}

/** Runs the command line on a data directory. Measures the time of the whole process. */
async function roster(dataDir: string, args: readonly string[]): Promise<Facts> {
  const began = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args, '--json'], {
    env: { ...process.env, ROSTER_DATA_DIR: dataDir },
  });
  return { ...(JSON.parse(stdout) as Facts), seconds: (performance.now() - began) / 1000 };
}

/** Reads every table with COPY, and discards the data. Returns the seconds. */
async function copyEverything(database: pg.Client): Promise<number> {
  const began = performance.now();
  const { rows } = await database.query<{ own: string }>(
    `select format('%I.%I', schemaname, tablename) as own from pg_tables where schemaname in ('public', 'roster_jobs')`,
  );
  for (const { own } of rows) {
    const { rows: kind } = await database.query<{ relkind: string }>(
      `select relkind from pg_class where oid = $1::regclass`,
      [own],
    );
    if (kind[0]!.relkind === 'r') await pipeline(database.query(copyTo(`copy ${own} to stdout`)), nowhere());
  }
  return (performance.now() - began) / 1000;
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
