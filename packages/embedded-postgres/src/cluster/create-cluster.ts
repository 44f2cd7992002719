import { chown, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Application } from '../application/application.ts';
import type { Binaries } from '../machine/binaries.ts';
import type { NewClusterPlace } from './cluster-place.ts';
import { diskFull, saysDiskFull } from '../machine/disk-space.ts';
import { EmbeddedPostgresError } from '../errors/embedded-postgres-error.ts';
import { runAs } from '../machine/server-user.ts';

/** What `createCluster` needs in addition to the place. */
export interface NewCluster {
  readonly application: Application;
  readonly binaries: Binaries;
  readonly password: string;
  /** Whether the files are flushed to disk; off in tests only. */
  readonly durable: boolean;
  readonly signal: AbortSignal;
}

/**
 * Makes a cluster with initdb in a working directory and moves it into place when it is complete,
 * so that a kill at any moment leaves either a whole cluster or none.
 *
 * UTF-8 with the builtin `C.UTF-8` collation: the same order on every machine and after every
 * upgrade of its libraries (an index sorted by another version of libc or ICU is silently wrong),
 * and the fastest to compare. Throws `disk-full`, `aborted` or `initdb-failed`.
 */
export async function createCluster(place: NewClusterPlace, home: string, options: NewCluster): Promise<void> {
  const { application, binaries, password, durable, signal } = options;
  const { work, user } = place;
  try {
    // initdb runs as the other user, so it can read neither our file with the password nor a pipe
    // of ours.
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
    if (signal.aborted)
      throw new EmbeddedPostgresError('aborted', 'The start of the embedded PostgreSQL was given up.');
    if (!ok) throw initdbFailed(place, output, application);

    await moveIntoPlace(place, home, unfinished);
  } finally {
    await rm(work, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Moves the files of a cluster that is complete from where they were made to their place, at once.
 */
export async function moveIntoPlace(place: NewClusterPlace, home: string, unfinished: string): Promise<void> {
  await rename(unfinished, place.cluster);
  if (place.outside) await symlink(place.cluster, path.join(home, 'cluster'));
}

function initdbFailed(place: NewClusterPlace, output: string, application: Application): EmbeddedPostgresError {
  if (saysDiskFull(output)) return diskFull(place.work, 'the disk ran full while the database was made', application);
  const advice = output.includes('could not look up effective user ID')
    ? `This user has no entry in the user database, which PostgreSQL needs: add one to /etc/passwd, start ${application.title} as another user, or ${application.useOtherServer}.`
    : `Set ${application.dataDirSetting} to another directory, or ${application.useOtherServer}.`;
  const lines = output.split('\n').slice(-8).join('\n');
  return new EmbeddedPostgresError(
    'initdb-failed',
    `The database in ${place.cluster} could not be made. ${advice} initdb says:\n${lines}`,
  );
}
