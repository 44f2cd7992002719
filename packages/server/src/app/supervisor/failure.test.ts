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
