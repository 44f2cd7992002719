import { expect, test } from 'vitest';
import { MigrationError } from '#platform/database/schema/migration-error.ts';
import { describeFailure } from './failure.ts';

test('the description of a failed migration includes its cause', () => {
  const cause = new Error('permission denied for schema public');
  const told = describeFailure(new MigrationError('A migration failed. See the cause.', { cause }));
  expect(told).toMatch(/^A migration failed\. See the cause\.\n.*permission denied for schema public/);
});

test('the description of a failed migration without a cause is its message', () => {
  expect(describeFailure(new MigrationError('The database is newer.'))).toBe('The database is newer.');
});

test.each([
  ['3D000', 'database "roster" does not exist', 'Create the database as docs/operations.md says, or correct its name'],
  [
    '28P01',
    'password authentication failed for user "roster"',
    'Check the user and the password in DATABASE_URL, and pg_hba.conf',
  ],
  [
    '28000',
    'no pg_hba.conf entry for host "10.0.0.1", no encryption',
    'Check the user in DATABASE_URL, and pg_hba.conf',
  ],
  [
    '53300',
    'sorry, too many clients already',
    'All permitted connections are in use. Raise max_connections of the server, or the connection limit of',
  ],
  [
    '57P03',
    'the database system is starting up',
    'Check the host and port in DATABASE_URL, that the server is running',
  ],
  ['08P01', 'unsupported startup parameter: options', 'A connection pooler refuses a parameter of the connection.'],
  ['55000', 'database "roster" is not currently accepting connections', 'Run on the server: alter database'],
])('the description of a refused connection says what to do (%s)', (code, message, advice) => {
  const refusal = Object.assign(new Error(message), { severity: 'FATAL', code });
  expect(describeFailure(refusal)).toContain(`The database cannot be used: ${message}. ${advice}`);
});

test('the description of an embedded PostgreSQL that ended during a start does not name DATABASE_URL', () => {
  const cause = new Error('Connection terminated unexpectedly');
  const told = describeFailure(new MigrationError('A migration failed. See the cause.', { cause }), true);
  expect(told).toContain(
    'The embedded PostgreSQL cannot be used: Connection terminated unexpectedly. The log says why',
  );
  expect(told).not.toContain('DATABASE_URL');
});
