import pg from 'pg';

/**
 * True when a row was refused because there is no partition for it, or because another one than PostgreSQL had chosen is meant for it by now:
 * partitions have changed in the middle, and the same statement can succeed when it is sent again.
 */
export function isPartitionViolation(error: unknown): boolean {
  // Other checks have a name.
  return error instanceof pg.DatabaseError && error.code === '23514' && error.constraint === undefined;
}
