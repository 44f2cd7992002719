import type { Config } from '#platform/config/config.ts';
import type { ConnectionsRole } from '#platform/config/connections.ts';
import type { Context } from '#platform/context.ts';
import { showAccounts } from '#platform/database/statements/opaque-account.ts';
import { guardedFileStore } from '#platform/files/guarded-file-store.ts';
import { openFileStore } from '#platform/files/open-file-store.ts';
import { createIds } from '#platform/ids.ts';
import { createDatabaseTurns } from '#platform/load/database-turns.ts';
import { createLogger } from '#platform/observability/logger.ts';
import { createMetrics } from '#platform/observability/metrics.ts';
import { features as allFeatures } from './features.ts';
import { openConnections } from './open-connections.ts';

/** The parts of a context that a caller can replace. */
export type ContextOverrides = Partial<
  Pick<Context, 'features' | 'log' | 'now' | 'newId' | 'exportFiles' | 'metrics' | 'resolveHost'>
>;

/**
 * Opens the context of a process. `config.databaseUrl` must be set, and the server must be running.
 * The jobs of a worker have a context with connections of their own.
 */
export function createContext(config: Config, role: ConnectionsRole, overrides: ContextOverrides = {}): Context {
  const log = overrides.log ?? createLogger(config, `roster ${role}`);
  const metrics = overrides.metrics ?? createMetrics();
  const { [Symbol.asyncDispose]: closeConnections, ...connections } = openConnections({ config, log, metrics, role });
  showAccounts(config.layout === 'citus');
  const ownFiles = overrides.exportFiles === undefined ? openFileStore(config) : undefined;
  const features = overrides.features ?? allFeatures;
  const opened: Partial<Context>[] = [];
  const context = {
    ...connections,
    config,
    features,
    log,
    now: overrides.now ?? (() => new Date()),
    newId: overrides.newId ?? createIds(),
    databaseTurns: createDatabaseTurns(config),
    exportFiles: guardedFileStore(overrides.exportFiles ?? ownFiles!),
    metrics,
    async [Symbol.asyncDispose]() {
      for (const parts of opened) for (const part of Object.values(parts)) await dispose(part);
      await closeConnections();
      // The caller disposes of a store that it passed in.
      await ownFiles?.[Symbol.asyncDispose]();
    },
  } as unknown as Context;
  for (const feature of features) {
    const parts = feature.openContext?.(context) ?? {};
    opened.push(parts);
    Object.assign(context, parts);
  }
  const { resolveHost } = overrides;
  return Object.assign(context, resolveHost === undefined ? {} : { resolveHost });
}

async function dispose(part: unknown): Promise<void> {
  if (typeof part !== 'object' || part === null || !(Symbol.asyncDispose in part)) return;
  await (part as AsyncDisposable)[Symbol.asyncDispose]();
}
