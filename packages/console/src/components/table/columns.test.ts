import { expect, test } from 'vitest';
import { layoutOf } from './columns.ts';

const cell = (): string => '';

test('a table is at least as wide as the least widths of its columns', () => {
  const { least, template } = layoutOf([
    { id: 'count', label: '', cell, width: 120, minWidth: 90 },
    { id: 'state', label: '', cell },
  ]);
  expect(least).toBe(270);
  expect(template).toBe('minmax(90px, 120px) minmax(180px, 180px)');
});

test('columns that grow share the room before the other columns get more than their least widths', () => {
  const { least, template } = layoutOf([
    { id: 'name', label: '', cell, width: 260, grows: true },
    { id: 'count', label: '', cell, width: 120, minWidth: 90 },
    { id: 'rights', label: '', cell, width: 200, minWidth: 150, grows: true },
  ]);
  expect(least).toBe(380);
  expect(template).toBe(
    'minmax(clamp(140px, 140px + (100% - 380px) / 2, 260px), 1fr) minmax(90px, 120px) minmax(clamp(150px, 150px + (100% - 380px) / 2, 200px), 1fr)',
  );
});
