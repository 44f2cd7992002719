import type { Context } from '#platform/context.ts';
import { freeSpace } from '@roster/embedded-postgres';
import { dataDirectory } from './size-store.ts';
import type { Database } from '#platform/database/connection/database.ts';

/** Free bytes on the disk of the database; undefined when it is on another machine, or cannot be read from here. */
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
