import { chown, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Application } from '../application/application.ts';
import type { Binaries } from '../machine/binaries.ts';
import type { NewClusterPlace } from './cluster-place.ts';
import { diskFull, saysDiskFull } from '../machine/disk-space.ts';
import { EmbeddedPostgresError, startCancelled } from '../errors/embedded-postgres-error.ts';
import { runAs } from '../machine/server-user.ts';

/** Options of {@link createCluster}. */
export interface NewCluster {
  readonly application: Application;
  readonly binaries: Binaries;
  readonly password: string;
  /** Flush the files to disk. Only tests turn this off. */
  readonly durable: boolean;
  readonly signal: AbortSignal;
}

/**
 * Creates a cluster with initdb in a working directory, and then moves it into place. A kill at any
 * time leaves either a complete cluster or none.
 *
 * The encoding is UTF-8 with the builtin collation `C.UTF-8`. This collation is the fastest, and
 * sorts the same on all machines and after upgrades. The collations of libc and ICU can change with
 * the version of the library. Then indexes silently give wrong results.
 *
 * Throws `disk-full`, `aborted` or `initdb-failed`.
 */
export async function createCluster(place: NewClusterPlace, home: string, options: NewCluster): Promise<void> {
  const { application, binaries, password, durable, signal } = options;
  const { work, user } = place;
  try {
    // initdb may run as another user. That user cannot read files or pipes of this process.
    const passwordFile = path.join(work, 'password');
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' });
    if (user !== undefined) await chown(passwordFile, user.uid, user.gid);

    const unfinished = path.join(work, 'cluster');
    const args = [
      `--pgdata=${unfinished}`,
      `--username=${application.database}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ];
    const { ok, output } = await runAs(user, binaries.initdb, args, signal);
    if (signal.aborted) throw startCancelled();
    if (!ok) throw initdbFailed(place, output, application);

    await moveIntoPlace(place, home, unfinished);
  } finally {
    await rm(work, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Moves a complete cluster from its working directory to its place in one step. */
export async function moveIntoPlace(place: NewClusterPlace, home: string, unfinished: string): Promise<void> {
  await rename(unfinished, place.cluster);
  if (place.outside) await symlink(place.cluster, path.join(home, 'cluster'));
}

function initdbFailed(place: NewClusterPlace, output: string, application: Application): EmbeddedPostgresError {
  if (saysDiskFull(output))
    return diskFull(place.work, 'the disk became full while the database was created', application);
  const advice = output.includes('could not look up effective user ID')
    ? `This user has no entry in the user database, but PostgreSQL needs one. Add it to /etc/passwd, start ${application.title} as another user, or ${application.useOtherServer}.`
    : `Set ${application.dataDirSetting} to another directory, or ${application.useOtherServer}.`;
  const lines = output.split('\n').slice(-8).join('\n');
  return new EmbeddedPostgresError(
    'initdb-failed',
    `The database in ${place.cluster} could not be created. ${advice} The output of initdb:\n${lines}`,
  );
}
