import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Application, applicationFrom } from '../application/application.ts';
import { findCluster } from '../cluster/cluster-place.ts';
import { databaseUrl } from '../server/database.ts';
import { readPassword } from '../data-directory/password.ts';

/**
 * Connection URL of the embedded server that a service runs on a data directory now; undefined when
 * none does. Starts and changes nothing.
 */
export async function runningServerUrl(
  dataDir: string,
  options: { readonly application?: Partial<Application> } = {},
): Promise<string | undefined> {
  const application = applicationFrom(options.application);
  const home = path.join(dataDir, 'postgres');
  const place = await findCluster(home, application);
  const password = await readPassword(home);
  if (place === undefined || password === undefined) return undefined;
  // Lines of the file: process, directory, start, port. It is there while the server runs, and
  // after a crash.
  const lines = (await readFile(path.join(place.cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 1 && port > 0 && isAlive(pid) ? databaseUrl(port, password, application) : undefined;
}

/** Whether a data directory has a database, running or not. Starts and changes nothing. */
export async function hasCluster(
  dataDir: string,
  options: { readonly application?: Partial<Application> } = {},
): Promise<boolean> {
  return (await findCluster(path.join(dataDir, 'postgres'), applicationFrom(options.application))) !== undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives, and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
