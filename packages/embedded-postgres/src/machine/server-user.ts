import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

import { type Application, sentence } from '../application/application.ts';
import { EmbeddedPostgresError } from '../errors/embedded-postgres-error.ts';

/** The user that runs PostgreSQL if the service is root. PostgreSQL refuses to run as root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** Users that can run PostgreSQL, best first. initdb needs an entry in the user database. */
const candidates = ['postgres', 'nobody'];

/** Tells whether this process is root. */
export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Finds the user for a new cluster in `/etc/passwd`: `postgres`, or else `nobody`. Throws
 * `platform-unsupported` if neither exists.
 */
export async function unprivilegedUser(application: Application): Promise<ServerUser> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'));
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

/** The result of a command. `output` has its stdout and stderr in order of arrival. */
export interface CommandResult {
  readonly ok: boolean;
  readonly output: string;
}

/**
 * Runs a short command as a user (default: the user of this process) and waits until it ends.
 *
 * - The command gets a clean environment without the secrets and `PG*` variables of this process.
 * - Its messages are not translated.
 * - It has its own process group, so that Ctrl-C in a terminal does not end it.
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

/** Returns the spawn options for all programs of PostgreSQL; see {@link runAs}. */
export function spawnOptions(user: ServerUser | undefined): {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly detached: true;
  readonly uid?: number;
  readonly gid?: number;
} {
  return {
    // That user may have no access to the working directory of this process.
    cwd: '/',
    env: { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' },
    detached: true,
    ...user,
  };
}
