import { access, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import packageFile from '../../../package.json' with { type: 'json' };
import { readBacklog } from '#pipeline/log/backlog-store.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { listBackupRuns, readDatabaseState } from './system-store.ts';

const shownBackups = 5;

/** Adds the operator route that shows the state of the installation. */
export function systemRoutes(app: FastifyInstance, { context }: Service): void {
  const { db, config } = context;
  serve(app, 'getSystem', {
    async handle() {
      const { api, workers, ...database } = await readDatabaseState(db);
      const { bsize, blocks, bavail } = await statfs(await existing(config.dataDir));
      const backlog = await readBacklog(context);
      const backups = await listBackupRuns(db, shownBackups);
      return {
        version: packageFile.version,
        node_version: process.versions.node,
        database,
        disk: { total: bsize * blocks, free: bsize * bavail },
        files: { place: config.exportStore === undefined ? ('disk' as const) : ('s3' as const) },
        processes: { api, workers },
        pipeline: { waiting_requests: backlog.requests, oldest_waiting: backlog.oldest?.toISOString() ?? null },
        backups: backups.map(({ kind, status, name, size, error, started_at, finished_at }) => ({
          kind,
          status,
          name,
          size,
          error,
          started_at: started_at.toISOString(),
          finished_at: finished_at?.toISOString() ?? null,
        })),
        backups_are_scheduled: config.backupSchedule !== undefined,
      };
    },
  });
}

/** A directory, or the nearest directory above it that exists. With `DATABASE_URL`, the API creates none. */
async function existing(directory: string): Promise<string> {
  for (let place = path.resolve(directory); ; place = path.dirname(place)) {
    const exists = await access(place).then(
      () => true,
      () => false,
    );
    if (exists || place === path.dirname(place)) return place;
  }
}
