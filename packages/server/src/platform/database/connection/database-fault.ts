import { DatabaseBusy } from './database-watch.ts';
import { NodeDown } from './node-down.ts';

/** The kinds of database errors. Errors of kind `data` are defects or bad data. */
export type DatabaseFault = 'unreachable' | 'timeout' | 'data';

/**
 * Errors that have the code of a defect, and mean that Citus lost a node. The first are its own; the
 * others are of the library with which one server calls another. Citus passes them on without a code.
 */
const nodeLostMessages = [
  'failure on connection marked as essential',
  'could not commit transaction for shard',
  'failed to prepare transaction',
  'failed to read result',
  'execution cannot recover from multiple connection failures',
  'cannot connect to \\S+ to fetch intermediate results',
  'could not connect to any active placements',
  'could not find an available connection',
  'server closed the connection unexpectedly',
  'could not (receive data from|send data to) server',
  'SSL connection has been closed unexpectedly',
  'SSL SYSCALL error',
  'connection not open',
  'no connection to the server',
];
const nodeLost = new RegExp(`^(${nodeLostMessages.join('|')})`);

/**
 * The code of a write on a server that is read-only, such as a primary that became a standby. The
 * service itself writes nothing in its read-only transactions.
 */
export const readOnlyCode = '25006';

/** True when the database was set to `allow_connections false`. The code alone has other meanings. */
function refusesConnections(error: Error & { readonly code?: unknown; readonly routine?: unknown }): boolean {
  return error.code === '55000' && error.routine === 'CheckMyDatabase';
}

/** Codes of a certificate of the server that this process does not accept. */
export const certificateFaults = /^(CERT_|DEPTH_ZERO_|ERR_TLS_CERT_|SELF_SIGNED_|UNABLE_TO_(GET_ISSUER|VERIFY)_)/;

/** True when no connection was made because TLS failed: a certificate, or a server without TLS. */
export function isTlsFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.message === 'The server does not support SSL connections') return true;
  return 'code' in error && typeof error.code === 'string' && certificateFaults.test(error.code);
}

/**
 * Classifies an error of a statement.
 *
 * - `unreachable`: the server is unreachable, starting, stopping, read-only, refuses access, or is
 *   out of connections, memory or disk; this process could not open a connection; or the transaction
 *   lost a race. A later retry can succeed.
 * - `timeout`: the statement was cancelled by statement_timeout.
 * - `data`: the server refused the statement.
 * - undefined: not a database error.
 */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Error)) return undefined;
  // The cause of a StorageFault can have the same codes and messages as a database error.
  if (error.name === 'StorageFault') return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === '57014') return 'timeout';
  if (code !== undefined && /^(08|28|3D|40|53|57|58)/.test(code) && code.length === 5) return 'unreachable';
  if (code === readOnlyCode || refusesConnections(error)) return 'unreachable';
  if (code === 'XX000' && nodeLost.test(error.message)) return 'unreachable';
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code) && 'severity' in error) return 'data';
  if (code !== undefined && /^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)/.test(code))
    return 'unreachable';
  if (isTlsFault(error)) return 'unreachable';
  // This process or its machine has no file or no port left for a connection (EMFILE, EADDRNOTAVAIL, …).
  if ('syscall' in error && error.syscall === 'connect') return 'unreachable';
  // node-postgres throws these errors without a code.
  if (
    error instanceof DatabaseBusy ||
    error instanceof NodeDown ||
    /^timeout expired$|^Connection terminated|not queryable|connection error/i.test(error.message)
  ) {
    return 'unreachable';
  }
  return undefined;
}
