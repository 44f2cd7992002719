import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Config } from '#platform/config/config.ts';
import type { ReplicaState } from '#platform/database/replicas/replica-state.ts';
import { openReplica, type Replica } from '#platform/database/replicas/replica.ts';
import { provePrimary } from '#platform/database/replicas/primary-state.ts';
import { createLogger } from '#platform/observability/logger.ts';
import { fault, ok, warning, type Finding } from '../findings/finding.ts';

/** Milliseconds between two looks at a replica that has not replayed the last mark yet. */
const pause = 100;

/** Checks the servers of `ROSTER_REPLICA_URL`. Writes a mark, as the service does each second. */
export async function checkReplicas(client: pg.Client, config: Config): Promise<readonly Finding[]> {
  if (config.replicaUrls.length === 0) return [];
  if (!(await hasMarks(client)))
    return [
      warning(
        'The replicas were not checked, because the database does not have all migrations yet.',
        'Start the service or run `roster migrate`, and then run `roster doctor` again.',
      ),
    ];
  const log = createLogger({ ...config, logLevel: 'silent' }, 'roster doctor');
  const all: Finding[] = [];
  for (const url of config.replicaUrls) {
    await using replica = openReplica({ url, name: 'roster doctor', size: 1, log });
    const state = await settledState(client, replica);
    all.push(findingOf(replica.name, state));
    if (state.problem === undefined) all.push(...(await checkFeedback(replica)));
  }
  return all;
}

async function hasMarks(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('history_marks') is not null as exists`);
  return rows[0]!.exists;
}

/** The state of a replica after it could replay a mark. It is behind if it does not do so in time. */
async function settledState(client: pg.Client, replica: Replica): Promise<ReplicaState> {
  for (;;) {
    const state = await replica.probe(await provePrimary(client));
    if (state.problem !== undefined || state.lagSeconds === 0) return state;
    await sleep(pause);
  }
}

async function checkFeedback(replica: Replica): Promise<Finding[]> {
  const { rows } = await replica.pool.query<{ hot_standby_feedback: string }>('show hot_standby_feedback');
  if (rows[0]!.hot_standby_feedback === 'on') return [];
  return [
    warning(
      `The replica ${replica.name} can cancel long exports, which then begin again on the primary.`,
      'Set hot_standby_feedback = on on the replica.',
    ),
  ];
}

function findingOf(name: string, { problem, reason = 'unknown reason', lagSeconds }: ReplicaState): Finding {
  switch (problem) {
    case undefined:
      return ok(`Reads use the replica ${name}. It has replayed the newest change.`);
    case 'behind':
      return warning(
        `The replica ${name} is ${Math.round(lagSeconds ?? 0)} s behind, so reads use the primary.`,
        'Check the load and the disk of the replica, and the network between the servers. If it never catches up, read its log.',
      );
    case 'unreachable':
      return fault(
        `Could not connect to the replica ${name}, so reads use the primary: ${reason}.`,
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
    case 'of another history':
      return fault(
        `The replica ${name} has other changes than the server in DATABASE_URL, so reads use the primary.`,
        'After a failover, make it a replica of the promoted server again, with pg_rewind or a new base backup.',
      );
    case 'not readable':
      return fault(
        `Reads on the replica ${name} would fail, so they use the primary: ${reason}.`,
        'Name the same user as in DATABASE_URL, or let the user read all tables of the schema, also future ones.',
      );
    case 'not proved':
      return fault(
        `Reads use the primary, because it is not certain that the replica ${name} follows it: ${reason}.`,
        'Make the server in DATABASE_URL accept writes.',
      );
  }
}
