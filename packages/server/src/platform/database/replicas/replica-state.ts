import type pg from 'pg';
import type { PrimaryState } from './primary-state.ts';
import { identitySql, marksSql } from './primary-state.ts';
import { readWalPosition } from './wal-position.ts';

/** Why reads cannot use a replica at the moment. */
export type ReplicaProblem =
  | 'unreachable'
  | 'not a replica'
  | 'of another database'
  | 'of another history'
  | 'not readable'
  | 'behind'
  | 'not proved';

/** What the last probe of a replica has found. */
export interface ReplicaState {
  /** Undefined while reads can use the replica. */
  readonly problem: ReplicaProblem | undefined;
  /** The cause of the problem, if more is known. Has no secrets. */
  readonly reason?: string | undefined;
  /**
   * Seconds since the primary wrote the first mark that the replica does not have; 0 if it has all,
   * undefined if unknown. Only the clock of the primary is used.
   */
  readonly lagSeconds: number | undefined;
}

/** Seconds that a replica may be behind. Reads would wait for it, and then use the primary. */
const maxLagSeconds = 1;

/** Makes the state of a replica that nothing can be compared with. */
export function unusable(problem: ReplicaProblem, reason?: string): ReplicaState {
  return { problem, reason, lagSeconds: undefined };
}

/** Compares a replica with a state that the primary had before. Rejects if it cannot be reached. */
export async function compareWith(primary: PrimaryState, replica: pg.Pool): Promise<ReplicaState> {
  const asked = await replica.query<{
    is_replica: boolean;
    identity: string;
    replayed: string | null;
    has_marks: boolean;
    denied: string[];
  }>(
    `select pg_is_in_recovery() as is_replica, ${identitySql} as identity, pg_last_wal_replay_lsn()::text as replayed,
       to_regclass('history_marks') is not null as has_marks, ${deniedSql} as denied`,
  );
  const { is_replica: isReplica, identity, replayed, has_marks: hasMarks, denied } = asked.rows[0]!;
  if (!isReplica || replayed === null) return unusable('not a replica');
  if (identity !== primary.identity) return unusable('of another database');
  if (!hasMarks) return unusable('not readable', 'its user sees no table history_marks');
  if (denied.length > 0) return unusable('not readable', `its user may not read ${listed(denied)}`);
  const { point } = primary;
  if (point === undefined) return unusable('not proved', primary.reason);

  // This statement comes after the one with the position. So it sees all that was replayed then.
  const { rows } = await replica.query<{ marks: string[]; written_at: number[] }>(
    `select ${marksSql} from history_marks`,
  );
  const marks = rows[0]?.marks ?? [];
  if (marks.includes(point.mark)) return { problem: undefined, lagSeconds: 0 };
  if (readWalPosition(replayed) >= point.position) return unusable('of another history');
  const lagSeconds = Math.max(0, primary.now - firstMissing(primary, marks[0], rows[0]?.written_at[0]));
  return { problem: lagSeconds > maxLagSeconds ? 'behind' : undefined, lagSeconds };
}

/** SQL: the names of the tables of Roster that the user of the connection may not read. */
const deniedSql = `array(
  select c.relname::text from pg_class c join pg_class m on m.oid = to_regclass('history_marks')
  where c.relnamespace = m.relnamespace and c.relowner = m.relowner and c.relkind in ('r', 'p') and not c.relispartition
    and not has_table_privilege(c.oid, 'select')
  order by 1)`;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more tables` : shown;
}

/** When the primary wrote the first mark that a replica lacks. `newest` is the newest that it has. */
function firstMissing(primary: PrimaryState, newest: string | undefined, newestAt: number | undefined): number {
  const index = newest === undefined ? -1 : primary.marks.indexOf(newest);
  // The replica lacks even the oldest that is known. So the missing ones begin soon after its newest.
  return index > 0 ? primary.writtenAt[index - 1]! : (newestAt ?? Number.NEGATIVE_INFINITY);
}
