import type pg from 'pg';
import { isMarkDue, provingMark, writeMark } from './history-marks.ts';
import { readWalPosition } from './wal-position.ts';

/** What a replica must have for a read. */
export interface ReadPoint {
  /** The end of the WAL on disk. All commits that others can see are before it. */
  readonly position: bigint;
  /** A server that has this mark has the history of the primary. */
  readonly mark: string;
}

/** What identifies a database and its history. */
export interface PrimaryState {
  /** The `system_identifier` of the server, and the name of the database. */
  readonly identity: string;
  /** Undefined while the service cannot prove the history. */
  readonly point: ReadPoint | undefined;
  /** Why {@link point} is undefined. */
  readonly reason: string | undefined;
  /** The clock of the primary, in seconds. */
  readonly now: number;
  /** The last marks, the newest first. */
  readonly marks: readonly string[];
  /** For each mark, when it was written by the clock of the primary, in seconds. */
  readonly writtenAt: readonly number[];
}

/** The expression of the identity. Primary and replica return the same. */
export const identitySql = `(select system_identifier from pg_control_system()) || ' ' || current_database()`;

/** The columns of the last marks, on the primary and on a replica. */
export const marksSql = `marks::text[] as marks, array(select extract(epoch from at)::float8 from unnest(written_at) at) as written_at`;

// A server in recovery refuses the functions about the end of the WAL.
const onPrimary = (expression: string): string => `case when not pg_is_in_recovery() then ${expression} end`;

const pointColumns = `${onPrimary('pg_current_wal_flush_lsn()::text')} as position, ${onPrimary(provingMark)} as mark`;

interface PointRow {
  readonly position: string | null;
  readonly mark: string | null;
}

interface StateRow extends PointRow {
  readonly identity: string;
  readonly is_due: boolean | null;
  readonly now: number;
  readonly marks: string[] | null;
  readonly written_at: number[] | null;
}

function pointOf({ position, mark }: PointRow): ReadPoint | undefined {
  return position === null || mark === null ? undefined : { position: readWalPosition(position), mark };
}

/** Reads the state of the primary. First writes a mark if one is due. */
export async function provePrimary(primary: pg.Pool | pg.Client): Promise<PrimaryState> {
  const row = await readState(primary);
  if (row.position === null) return stateOf(row, 'the server in DATABASE_URL is a replica');
  if (row.is_due !== true) return stateOf(row);
  try {
    await writeMark(primary);
  } catch (error) {
    return stateOf(row, `the service cannot write on the primary: ${(error as Error).message}`);
  }
  return stateOf(await readState(primary));
}

function stateOf(row: StateRow, reason?: string): PrimaryState {
  const { identity, now, marks, written_at: writtenAt } = row;
  return { identity, point: pointOf(row), reason, now, marks: marks ?? [], writtenAt: writtenAt ?? [] };
}

async function readState(primary: pg.Pool | pg.Client): Promise<StateRow> {
  const { rows } = await primary.query<StateRow>(
    `select ${identitySql} as identity, ${pointColumns}, ${onPrimary(isMarkDue)} as is_due, ${marksSql},
       extract(epoch from clock_timestamp())::float8 as now
     from (select) one left join history_marks on true`,
  );
  return rows[0]!;
}

/**
 * Reads what a replica must have to serve a read that begins now. Undefined while the history is
 * not proved, such as after a failover.
 */
export async function readPoint(primary: pg.Pool): Promise<ReadPoint | undefined> {
  const { rows } = await primary.query<PointRow>(
    `select ${pointColumns} from (select) one left join history_marks on true`,
  );
  return pointOf(rows[0]!);
}
