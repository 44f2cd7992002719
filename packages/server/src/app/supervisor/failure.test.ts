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
  ['28P01', 'password authentication failed for user "roster"', 'Check the user and the password in DATABASE_URL.'],
  [
    '53300',
    'sorry, too many clients already',
    'Raise max_connections of the server, or lower ROSTER_DATABASE_POOL_SIZE',
  ],
  ['57P03', 'the database system is starting up', 'Check DATABASE_URL, and that the server runs.'],
])('the description of a refused connection says what to do (%s)', (code, message, advice) => {
  const refusal = Object.assign(new Error(message), { severity: 'FATAL', code });
  expect(describeFailure(refusal)).toContain(`The database cannot be used: ${message}. ${advice}`);
});
