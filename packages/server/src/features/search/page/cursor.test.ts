import { Faults } from '@roster/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRegistry, type Attribute } from '#features/registry/registry.ts';
import type { CursorPosition, SortKey } from './checked-output.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { attributeField, fixedField } from '../filter/fields.ts';

const attribute = (id: number, name: string, dataType: Attribute['dataType']): Attribute => ({
  id,
  key: `1.${id}`,
  name,
  dataType,
  defaultValue: null,
  mapping: null,
  dataMasking: 'none',
  system: false,
  widenedFrom: null,
  slot: null,
});
const city = attribute(5, 'CITY', 'text');
const age = attribute(6, 'AGE', 'number');
const registry = createRegistry('EMAIL', [city, age]);
const key = (field: SortKey['field'], descending = false): SortKey => ({ field, descending });
const byId = key(fixedField(registry, 'contact_id'));
const byCreation = [key(fixedField(registry, 'created_at'), true), byId];
const byAge = [key(attributeField(registry, age)), key(attributeField(registry, city)), byId];
const moment = '2026-01-31T09:00:00.000Z';

function read(cursor: string, sorting: readonly SortKey[], accountId = 1): CursorPosition | string | undefined {
  const faults = new Faults();
  const position = readCursor(cursor, accountId, sorting, faults);
  if (faults.count === 0) return position;
  expect(faults.list).toHaveLength(1);
  expect(faults.list[0]!.field).toBe('output.pagination.cursor');
  return faults.list[0]!.code;
}

describe('a search cursor', () => {
  test('a search cursor can be read back as the position that was written', () => {
    expect(read(writeCursor(1, byCreation, [moment, 42]), byCreation)).toEqual([moment, 42]);
    expect(read(writeCursor(1, byAge, [null, 'Ä"\\😀', 42]), byAge)).toEqual([null, 'Ä"\\😀', 42]);
  });

  test('a search cursor has only characters that are safe in a URL', () => {
    expect(writeCursor(1, byAge, [1.5, '??>>~~', 42])).toMatch(/^[\w-]+$/);
  });

  test('a search cursor is still valid after an attribute is renamed', () => {
    const renamed = { ...city, name: 'TOWN' };
    const after = [key(attributeField(registry, age)), key(attributeField(registry, renamed)), byId];
    expect(read(writeCursor(1, byAge, [1, 'Pune', 42]), after)).toEqual([1, 'Pune', 42]);
  });

  test('a search cursor with three texts of 1,000 characters is within the length limit of the contract', () => {
    const texts = [7, 8, 9].map((id) => key(attributeField(registry, attribute(id, `T${id}`, 'text'))));
    const worst = '\u0001'.repeat(1000);
    expect(writeCursor(1, [...texts, byId], [worst, worst, worst, 42]).length).toBeLessThan(32_768);
  });

  test('a search cursor is refused with another sorting', () => {
    const cursor = writeCursor(1, byCreation, [moment, 42]);
    expect(read(cursor, byAge)).toBe('not_allowed');
    expect(read(cursor, [key(byCreation[0]!.field, false), byId])).toBe('not_allowed');
    expect(read(cursor, [byId])).toBe('not_allowed');
  });

  test('a search cursor is refused in another account', () => {
    expect(read(writeCursor(1, byCreation, [moment, 42]), byCreation, 2)).toBe('invalid_format');
  });

  test('a search cursor is refused if it has values that its sort keys cannot have', () => {
    const forged: CursorPosition[] = [
      ['yesterday', 42],
      ['2026-01-01T00:00:00+23:59', 42],
      ['2026-01-31T09:00:00Z', 42],
      [' 2026-01-31T09:00:00.000Z', 42],
      [42, 42],
      [moment, null],
      [moment, '42'],
      [moment, 1.5],
      [moment],
      [moment, 42, 43],
    ];
    for (const position of forged)
      expect(read(writeCursor(1, byCreation, position), byCreation)).toBe('invalid_format');
    expect(read(writeCursor(1, byAge, ['1', 'Pune', 42]), byAge)).toBe('invalid_format');
    expect(read(writeCursor(1, byAge, [1, 'nul\0', 42]), byAge)).toBe('invalid_format');
    expect(read(writeCursor(1, byAge, [1, true, 42]), byAge)).toBe('invalid_format');
  });

  test('a search cursor is refused if any character was changed', () => {
    const cursor = writeCursor(1, byCreation, [moment, 42]);
    const change = fc.record({
      at: fc.nat(cursor.length - 1),
      to: fc.constantFrom('A', 'a', 'z', '0', '9', '-', '_', '=', '!', ' '),
    });
    fc.assert(
      fc.property(change, ({ at, to }) => {
        const changed = cursor.slice(0, at) + to + cursor.slice(at + 1);
        if (changed !== cursor) expect(read(changed, byCreation)).toBe('invalid_format');
      }),
    );
    expect(read(cursor.slice(0, -1), byCreation)).toBe('invalid_format');
    expect(read(`${cursor}=`, byCreation)).toBe('invalid_format');
  });

  test('a search cursor is refused if it is any other text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.json()), (text) => {
        expect(read(text, byCreation)).toBe('invalid_format');
      }),
    );
  });
});
