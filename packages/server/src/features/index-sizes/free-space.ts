import { freeSpace } from '@roster/embedded-postgres';
import { dataDirectory } from './size-store.ts';
import type { Database } from '#platform/database/connection/database.ts';

/**
 * Returns the free bytes on the disk of the database with this URL, to which `db` is connected.
 * Returns undefined when the database is on another machine, or the free space cannot be read.
 */
export async function freeDatabaseSpace(url: string, db: Database): Promise<number | undefined> {
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  const isHere = host === '' || host.startsWith('/') || /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);
  const directory = isHere ? await dataDirectory(db) : undefined;
  return directory === undefined ? undefined : freeSpace(directory).catch(() => undefined);
}
