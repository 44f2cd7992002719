import { expect, test } from 'vitest';
import { migrationNames } from './migrate.ts';

test('migrations are numbered from 0001 without gaps, so that their order is that of their names', async () => {
  const names = await migrationNames();
  expect(names.map((name) => name.slice(0, 5))).toEqual(
    names.map((_, index) => `${String(index + 1).padStart(4, '0')}_`),
  );
});
