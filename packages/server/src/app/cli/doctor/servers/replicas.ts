import type pg from 'pg';
import type { Config } from '#platform/config/config.ts';
import { openReplica, type ReplicaState } from '#platform/database/replicas/replica.ts';
import { readPrimaryState } from '#platform/database/replicas/primary-state.ts';
import { createLogger } from '#platform/observability/logger.ts';
import { fault, ok, warning, type Finding } from '../findings/finding.ts';

/** Checks the servers of `ROSTER_REPLICA_URL`. */
export async function checkReplicas(client: pg.Client, config: Config): Promise<readonly Finding[]> {
  if (config.replicaUrls.length === 0) return [];
  const primary = await readPrimaryState(client);
  const log = createLogger({ ...config, logLevel: 'silent' }, 'roster doctor');
  const found = await Promise.all(
    config.replicaUrls.map(async (url) => {
      await using replica = openReplica({ url, name: 'roster doctor', size: 1, log });
      const state = await replica.probe(primary);
      const finding = findingOf(replica.name, state);
      if (finding.severity !== 'ok') return [finding];
      const { rows } = await replica.pool.query<{ hot_standby_feedback: string }>('show hot_standby_feedback');
      if (rows[0]!.hot_standby_feedback === 'on') return [finding];
      return [
        finding,
        warning(
          `The replica ${replica.name} can cancel long exports, which then begin again on the primary.`,
          'Set hot_standby_feedback = on on the replica.',
        ),
      ];
    }),
  );
  return found.flat();
}

function findingOf(name: string, { problem, lagSeconds }: ReplicaState): Finding {
  switch (problem) {
    case undefined:
      return ok(`Reads use the replica ${name}; it is ${(lagSeconds ?? 0).toFixed(1)} s behind.`);
    case 'behind':
      return warning(
        `The replica ${name} is ${Math.round(lagSeconds ?? 0)} s behind, so reads use the primary.`,
        'Check the load and the disk of the replica, and the network between the servers.',
      );
    case 'unreachable':
      return fault(
        `Could not connect to the replica ${name}, so reads use the primary.`,
        'Check the address, the user and the password in ROSTER_REPLICA_URL, and that the server runs.',
      );
    case 'not a replica':
      return fault(
        `The server ${name} in ROSTER_REPLICA_URL is not a replica, so reads use the primary.`,
        'If it was promoted, name it in DATABASE_URL. Otherwise name a server in recovery.',
      );
    case 'of another database':
      return fault(
        `The server ${name} in ROSTER_REPLICA_URL is a replica of another database, so reads use the primary.`,
        'Name a replica of the server in DATABASE_URL, and the same database.',
      );
  }
}
