import pg from 'pg';
import { isLockTimeout } from '../connection/database.ts';
import type { Config } from '#platform/config/config.ts';

// When the process stops, it waits up to this time.
const lockTimeoutSeconds = 3;

/** A partition to drop. */
export interface DroppedPartition {
  /** The table that has the partition. */
  readonly of: 'activities';
  readonly name: string;
  /** True when an earlier attempt was interrupted. */
  readonly isDetaching: boolean;
}

/**
 * Drops a partition. The connection must not be in a transaction.
 *
 * On a single server, DETACH CONCURRENTLY blocks no reader or writer. It waits for the transactions
 * that use the table now. A cluster does not have it: readers and writers wait for the lock of DROP,
 * which waits for the transactions under way. If one takes very long, such as a backup, the function
 * gives up and returns false. The next run continues.
 */
export async function dropPartition(
  client: pg.ClientBase,
  layout: Config['layout'],
  { of, name, isDetaching }: DroppedPartition,
): Promise<boolean> {
  const partition = pg.escapeIdentifier(name);
  const limit = `lock_timeout = '${lockTimeoutSeconds}s'`;
  try {
    if (layout === 'single') {
      await client.query(`set ${limit}`);
      const how = isDetaching ? 'finalize' : 'concurrently';
      await client.query(`alter table ${of} detach partition ${partition} ${how}`);
      await client.query(`drop table ${partition}`);
    } else {
      // SET LOCAL, which also holds on the nodes.
      await client.query(`begin; set local ${limit}; drop table ${partition}; commit`);
    }
    return true;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    if (isLockTimeout(error)) return false;
    throw error;
  } finally {
    await client.query('reset lock_timeout');
  }
}
