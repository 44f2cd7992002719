import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

import { type Application, sentence } from '../application/application.ts';
import { EmbeddedPostgresError } from '../errors/embedded-postgres-error.ts';

/**
 * The user that PostgreSQL runs as when the service is root; PostgreSQL itself refuses to run as
 * root.
 */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Users to run PostgreSQL as, best first. Both exist on nearly every system; initdb wants an entry
 * in the user database.
 */
const candidates = ['postgres', 'nobody'];

/** Whether this process is root, so that PostgreSQL needs another user. */
export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Picks the unprivileged user for a new cluster from the text of `/etc/passwd`: `postgres`, else
 * `nobody`.
 *
 * Throws `platform-unsupported` when there is neither.
 */
export async function unprivilegedUser(application: Application, passwdFile = '/etc/passwd'): Promise<ServerUser> {
  const lines = (await readFile(passwdFile, 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'));
  for (const candidate of candidates) {
    const entry = lines.find(([name]) => name === candidate);
    const [uid, gid] = [Number(entry?.[2]), Number(entry?.[3])];
    if (uid > 0 && gid > 0) return { uid, gid };
  }
  throw new EmbeddedPostgresError(
    'platform-unsupported',
    `PostgreSQL does not run as root, and there is no user ${candidates.join(' or ')} to run it as. ` +
      `Start ${application.title} as an ordinary user, or create a user named postgres. ${sentence(`Or ${application.useOtherServer}`)}`,
  );
}

/**
 * How a short command ended; `output` is what it wrote to stdout and stderr, in order of arrival.
 */
export interface CommandResult {
  readonly ok: boolean;
  readonly output: string;
}

/**
 * Runs a short command as the user that PostgreSQL runs as (or as ourselves) and waits for its end.
 *
 * It gets a clean environment (it must not see our secrets, and `PG*` variables would mislead it),
 * untranslated messages, and a process group of its own, so that Ctrl-C in a terminal leaves it to
 * us to end it.
 */
export function runAs(
  user: ServerUser | undefined,
  command: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...spawnOptions(user), stdio: ['ignore', 'pipe', 'pipe'], signal });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code) => resolve({ ok: code === 0, output: Buffer.concat(chunks).toString('utf8').trim() }));
  });
}

/** Options under which every program of PostgreSQL is spawned; see {@link runAs}. */
export function spawnOptions(user: ServerUser | undefined): {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly detached: true;
  readonly uid?: number;
  readonly gid?: number;
} {
  return {
    // Our own working directory may be out of that user's reach.
    cwd: '/',
    env: { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' },
    detached: true,
    ...user,
  };
}
