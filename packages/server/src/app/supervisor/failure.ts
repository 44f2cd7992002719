import { BackupError } from '#features/backups/store/backup-error.ts';
import { ConfigError } from '#platform/config/config.ts';
import { ChildStartError, EmbeddedPostgresError } from '@roster/embedded-postgres';
import { isTlsFault } from '#platform/database/connection/database-fault.ts';
import { MigrationError } from '#platform/database/schema/migration-error.ts';
import { connectionAdvice } from '../connection-advice.ts';

/** Errors whose message needs no stack: it says what is wrong and what to do. */
const selfExplaining = [ConfigError, EmbeddedPostgresError, MigrationError, ChildStartError, BackupError];

/**
 * Describes a failure for the operator. A known failure (settings, port, data directory, database)
 * is only its message. Any other error is a defect and is shown with its stack. `isEmbedded`: the
 * database is the embedded one.
 */
export function describeFailure(error: unknown, isEmbedded = false): string {
  if (!(error instanceof Error)) return String(error);
  return explainFailure(error, isEmbedded) ?? error.stack ?? error.message;
}

/** Returns the message of a failure that the operator can fix; undefined for a defect. */
export function explainFailure(error: Error, isEmbedded = false): string | undefined {
  if (error instanceof MigrationError && error.cause !== undefined) {
    return `${error.message}\n${describeFailure(error.cause, isEmbedded)}`;
  }
  if (selfExplaining.some((kind) => error instanceof kind)) return error.message;
  // For a host with several addresses, Node collects one error per address.
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  return listenFailure(first) ?? databaseFailure(first, isEmbedded);
}

/** Returns the message for a server that could not listen on its port. */
function listenFailure(
  error: Error & { syscall?: unknown; code?: unknown; port?: unknown; address?: unknown },
): string | undefined {
  if (error.syscall !== 'listen' && error.syscall !== 'bind') return undefined;
  const place = `${String(error.address)}:${String(error.port)}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return `Another program already listens on ${place}. Stop it, or set PORT to another port.`;
    case 'EACCES':
      return `This user may not listen on ${place}. Ports below 1024 need special rights. Set PORT to another port.`;
    case 'EADDRNOTAVAIL':
      return `This machine does not have the address ${String(error.address)}. Set HOST to an address of this machine.`;
    default:
      return `The service cannot listen on ${place}: ${error.message}`;
  }
}

/** Returns the message for a database server that is unreachable or refuses the connection. */
function databaseFailure(
  error: Error & { syscall?: unknown; code?: unknown; severity?: unknown },
  isEmbedded: boolean,
): string | undefined {
  const isConnection =
    error.syscall === 'connect' ||
    error.syscall === 'getaddrinfo' ||
    isTlsFault(error) ||
    // The driver sets no codes on these errors.
    /^timeout expired$|^Connection terminated/.test(error.message);
  // 08P01: a pooler refuses a parameter. 28…: user or password refused. 3D000: no such database.
  // 53300: too many connections. 55000: the database permits none. 57P03: the server is starting or
  // stopping.
  const isRefusal = error.severity === 'FATAL' && /^(08P01|28|3D|53|55000|57)/.test(String(error.code));
  if (!isConnection && !isRefusal) return undefined;
  if (isEmbedded) {
    return `The embedded PostgreSQL cannot be used: ${error.message}. The log says why it ended. Start Roster again.`;
  }
  return `The database cannot be used: ${error.message}. ${connectionAdvice(error)}`;
}
