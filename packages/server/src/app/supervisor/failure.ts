import { BackupError } from '#features/backups/store/backup-error.ts';
import { ConfigError } from '#platform/config/config.ts';
import { ChildStartError, EmbeddedPostgresError } from '@roster/embedded-postgres';
import { MigrationError } from '#platform/database/schema/migrate.ts';

/** Failures whose message says everything. */
const selfExplaining = [ConfigError, EmbeddedPostgresError, MigrationError, ChildStartError, BackupError];

/**
 * What to tell the operator about a failure: the message alone when it says everything (settings, the port, the data directory,
 * the database), else with the stack, since it is a defect. A migration that failed is told with its cause.
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return explainFailure(error) ?? error.stack ?? error.message;
}

/** The message for a failure that the operator can do something about; undefined for another one. */
export function explainFailure(error: Error): string | undefined {
  if (error instanceof MigrationError && error.cause !== undefined) {
    return `${error.message}\n${describeFailure(error.cause)}`;
  }
  if (selfExplaining.some((kind) => error instanceof kind)) return error.message;
  // A host with several addresses fails with an error for each.
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  return listenFailure(first) ?? databaseFailure(first);
}

/** The message for a server that could not listen. */
function listenFailure(
  error: Error & { syscall?: unknown; code?: unknown; port?: unknown; address?: unknown },
): string | undefined {
  if (error.syscall !== 'listen' && error.syscall !== 'bind') return undefined;
  const place = `${String(error.address)}:${String(error.port)}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return `Another program listens on ${place} already. Stop it, or set PORT to another port.`;
    case 'EACCES':
      return `This user may not listen on ${place}; ports below 1024 need rights of their own. Set PORT to another port.`;
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${String(error.address)} to listen on. Set HOST to one of its addresses.`;
    default:
      return `The service cannot listen on ${place}: ${error.message}`;
  }
}

/** The message for a database server of one's own that cannot be reached or refuses us. */
function databaseFailure(error: Error & { syscall?: unknown; code?: unknown; severity?: unknown }): string | undefined {
  const isConnection =
    error.syscall === 'connect' ||
    error.syscall === 'getaddrinfo' ||
    // The driver has no codes for these.
    /^timeout expired$|^Connection terminated/.test(error.message);
  // 28…: password or user refused, 3D000: no such database, 53300: no connection left, 57P03: starting or stopping.
  const isRefusal = error.severity === 'FATAL' && /^(28|3D|53|57)/.test(String(error.code));
  if (!isConnection && !isRefusal) return undefined;
  return `The database cannot be used: ${error.message}. Check DATABASE_URL, and that the server runs.`;
}
