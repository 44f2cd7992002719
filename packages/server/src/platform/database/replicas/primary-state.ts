import type pg from 'pg';
import { readWalPosition } from './wal-position.ts';

/** What identifies a database, and the end of its WAL. */
export interface PrimaryState {
  /** The `system_identifier` of the server, and the name of the database. */
  readonly identity: string;
  /** The end of the WAL on disk. All commits that others can see are before it. */
  readonly position: bigint;
}

/** The expression of the identity. Primary and replica return the same. */
export const identitySql = `(select system_identifier from pg_control_system()) || ' ' || current_database()`;

/** Reads the state of the primary. */
export async function readPrimaryState(primary: pg.Pool | pg.Client): Promise<PrimaryState> {
  const { rows } = await primary.query<{ identity: string; position: string }>(
    `select ${identitySql} as identity, pg_current_wal_flush_lsn()::text as position`,
  );
  return { identity: rows[0]!.identity, position: readWalPosition(rows[0]!.position) };
}

/** Reads only the position, which each read on a replica needs. */
export async function readPosition(primary: pg.Pool): Promise<bigint> {
  const { rows } = await primary.query<{ position: string }>('select pg_current_wal_flush_lsn()::text as position');
  return readWalPosition(rows[0]!.position);
}
