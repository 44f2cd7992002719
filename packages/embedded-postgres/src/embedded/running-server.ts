import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Application, applicationFrom } from '../application/application.ts';
import { findCluster } from '../cluster/cluster-place.ts';
import { databaseUrl } from '../server/database.ts';
import { isPostmaster } from '../server/orphaned-server.ts';
import { readPassword } from '../data-directory/password.ts';

/**
 * Returns the connection URL of the embedded server that is running on a data directory; undefined
 * if none is running. Starts and changes nothing.
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
  // The lines of the file are: process id, directory, start time, port. After a crash the file
  // stays. In a copy of the directory, it names the server of the original.
  const lines = (await readFile(path.join(place.cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  const isRunning = pid > 1 && port > 0 && (await isPostmaster(pid, place.cluster));
  return isRunning ? databaseUrl(port, password, application) : undefined;
}

/** Tells whether a data directory has a database, running or not. Starts and changes nothing. */
export async function hasCluster(
  dataDir: string,
  options: { readonly application?: Partial<Application> } = {},
): Promise<boolean> {
  return (await findCluster(path.join(dataDir, 'postgres'), applicationFrom(options.application))) !== undefined;
}
