import type { Context } from '#platform/context.ts';
import { freeSpace } from '@roster/embedded-postgres';
import { dataDirectory } from './size-store.ts';
import type { Database } from '#platform/database/connection/database.ts';

/**
 * Returns the free bytes on the disk of the database. Returns undefined when the database is on
 * another machine, or the free space cannot be read.
 */
export async function freeDatabaseSpace(
  { config }: Pick<Context, 'config'>,
  db: Database,
): Promise<number | undefined> {
  const { hostname, searchParams } = new URL(config.databaseUrl!);
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  const isHere = host === '' || host.startsWith('/') || /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);
  const directory = isHere ? await dataDirectory(db) : undefined;
  return directory === undefined ? undefined : freeSpace(directory).catch(() => undefined);
}
