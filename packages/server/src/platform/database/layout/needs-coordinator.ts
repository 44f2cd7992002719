import pg from 'pg';

// Undefined table, schema, function and type.
const missing = new Set(['42P01', '3F000', '42883', '42704']);

/**
 * True when a statement on a node of a cluster named something that only the coordinator has, such as
 * a table or a function of the jobs. Then run its transaction on the coordinator.
 */
export function needsCoordinator(error: unknown): boolean {
  return error instanceof pg.DatabaseError && missing.has(error.code ?? '');
}

/**
 * The statement that makes a transaction on the coordinator of a cluster commit in two phases. It is
 * for transactions that write rows of the coordinator and rows of one node.
 *
 * Otherwise Citus commits on the node first. If the coordinator is killed at this moment, its own
 * rows are lost: the requests of a chunk of an import were stored without the position after it, so
 * the chunk was accepted twice. Citus uses two phases after any COPY to a distributed table. An
 * INSERT of the rows of a function is one, even without rows.
 */
export const commitInTwoPhases = `
  insert into forgotten (account_id, hash, request_id)
  select number, ''::bytea, gen_random_uuid() from generate_series(1, 0) as number`;
