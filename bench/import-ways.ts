import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import type { BenchService } from './support.ts';

/** The options of an import. */
export interface ImportChoices {
  /** Lists that the contacts are added to. */
  readonly lists: readonly number[];
  /** True to check the file without writing anything. */
  readonly dryRun: boolean;
}

/** Imports a file into account 1. Returns the ended import, whose contacts are searchable. */
export type ImportWay = (service: BenchService, file: string, choices: ImportChoices) => Promise<EndedImport>;

/** The fields of an import that the benchmark uses. */
export interface EndedImport {
  readonly status: string;
  readonly counts: { readonly total: number; readonly failed: number };
}

const program = path.join(import.meta.dirname, '../packages/server/src/app/bin/roster.ts');

/** Imports like an operator, with `roster import <file> --json` in a separate process. */
export const byCommandLine: ImportWay = async (service, file, { lists, dryRun }) => {
  const options = [...lists.flatMap((id) => ['--list', String(id)]), ...(dryRun ? ['--dry-run'] : []), '--json'];
  const child = spawn(process.execPath, [program, 'import', file, ...options], {
    env: { ...process.env, ROSTER_URL: service.url, ROSTER_ADMIN_TOKEN: service.adminToken },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve, reject) => child.once('exit', resolve).once('error', reject));
  const output = await text(child.stdout);
  const code = await ended;
  if (code !== 0) throw new Error(`roster import ended with ${code}: ${output}`);
  return JSON.parse(output) as EndedImport;
};

/** Imports with the operator API from this process. */
export const overHttp: ImportWay = async (service, file, { lists, dryRun }) => {
  const { import_id: id } = await service.operator('POST', '/imports', { audience_ids: lists, dry_run: dryRun });
  await service.sendFile(`/imports/${String(id)}/file`, createReadStream(file));
  for (;;) {
    const found = await service.operator('GET', `/imports/${String(id)}`);
    if (found['finished_at'] !== null) return found as unknown as EndedImport;
    await sleep(100);
  }
};

/** Writes a file into a temporary directory. Dispose it to remove the directory. */
export async function temporaryFile(
  chunks: Iterable<Buffer>,
  gzip: boolean,
): Promise<AsyncDisposable & { readonly name: string }> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-bench-file-'));
  const name = path.join(directory, gzip ? 'people.csv.gz' : 'people.csv');
  const content = Readable.from(chunks);
  await pipeline(gzip ? content.pipe(createGzip({ level: 1 })) : content, createWriteStream(name));
  return {
    name,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}
