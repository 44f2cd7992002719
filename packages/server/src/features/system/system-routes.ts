import { access, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { effectiveSettings } from '#features/accounts/store/account-settings.ts';
import packageFile from '../../../package.json' with { type: 'json' };
import { findWaitingAccounts, readBacklog } from '#pipeline/log/backlog-store.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { accountsById, listBackupRuns, readDatabaseState, sizeOfNodes } from './system-store.ts';

const shownBackups = 5;
const shownAccounts = 10;

/** Adds the operator route that shows the state of the installation. */
export function systemRoutes(app: FastifyInstance, { context }: Service): void {
  const { db, config } = context;
  serve(app, 'getSystem', {
    async handle() {
      const { api, workers, ...database } = await readDatabaseState(db);
      const { bsize, blocks, bavail } = await statfs(await existing(config.dataDir));
      const size = database.size + (await sizeOfNodes(context));
      const backlog = await readBacklog(context);
      const waiting = await findWaitingAccounts(context, shownAccounts);
      const accounts = await accountsById(
        db,
        waiting.map(({ accountId }) => accountId),
      );
      const backups = await listBackupRuns(db, shownBackups);
      return {
        version: packageFile.version,
        node_version: process.versions.node,
        database: { ...database, size },
        disk: { total: bsize * blocks, free: bsize * bavail },
        files: { place: config.exportStore === undefined ? ('disk' as const) : ('s3' as const) },
        processes: { api, workers },
        pipeline: {
          waiting_requests: backlog.requests,
          oldest_waiting: backlog.oldest?.toISOString() ?? null,
          waiting_accounts: waiting.flatMap(({ accountId, requests, oldest }) => {
            const account = accounts.get(accountId);
            if (account === undefined) return [];
            return {
              account_id: accountId,
              name: account.name,
              buckets: effectiveSettings(account.settings).buckets,
              waiting_requests: requests,
              oldest_waiting: oldest.toISOString(),
            };
          }),
        },
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
