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
