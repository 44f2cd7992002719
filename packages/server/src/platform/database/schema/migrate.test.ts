import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { freezeMigrations, frozenFile, migrationLines } from './frozen-migrations.ts';
import { lineageOf } from './lineage.ts';
import { migrationNames } from './migrate.ts';

test('migrations are numbered from 0001 without gaps', async () => {
  const names = await migrationNames();
  expect(names.map((name) => name.slice(0, 5))).toEqual(
    names.map((_, index) => `${String(index + 1).padStart(4, '0')}_`),
  );
});

test('existing migrations are not renamed, changed or removed (write a new one instead)', () => {
  expect(migrationLines()).toEqual(readFileSync(frozenFile, 'utf8').trim().split('\n'));
});

test('freezing migrations keeps the old checksum of a changed migration, and adds lines only for new ones', () => {
  const [first, ...others] = migrationLines();
  const changed = `${'0'.repeat(64)}  ${first!.split('  ')[1]}`;
  expect(freezeMigrations(`${changed}\n`).trim().split('\n')).toEqual([changed, ...others]);
});

test.each([
  ['an empty database', [], { kind: 'own' }],
  ['an older version', ['0001_a'], { kind: 'own' }],
  ['the same version', ['0001_a', '0002_b'], { kind: 'own' }],
  ['a newer version', ['0001_a', '0002_b', '0003_c', '0004_d'], { kind: 'newer', migration: '0004_d' }],
  ['another program', ['2020-01-01-users'], { kind: 'unknown', migration: '2020-01-01-users' }],
  [
    'another program that added its migrations to ours',
    ['0001_a', '0002_b', 'users'],
    { kind: 'unknown', migration: 'users' },
  ],
  ['a changed copy', ['0001_a', '0002_x', '0003_c'], { kind: 'unknown', migration: '0002_x' }],
  ['a copy without a migration in the middle', ['0002_b'], { kind: 'unknown', migration: '0002_b' }],
])('lineageOf recognises the migrations of %s', (_, applied, lineage) => {
  expect(lineageOf(applied, ['0001_a', '0002_b'])).toEqual(lineage);
});
