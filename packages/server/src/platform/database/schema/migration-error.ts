/**
 * This version cannot use the database: a newer version or another program made it, the server is
 * too old, its locale does not fold text, or a migration failed.
 */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
