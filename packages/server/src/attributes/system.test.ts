import { expect, test } from 'vitest';
import { fieldTable } from '../search/fields.ts';
import { attributeName, reservedAttributeNames, systemAttributes } from './system.ts';

test('no attribute can have the name of a field of a search', () => {
  for (const field of Object.keys(fieldTable)) expect(reservedAttributeNames).toContain(field.toUpperCase());
});

test('the names of the system attributes are valid, free and different', () => {
  const names = systemAttributes.map(({ name }) => name);
  expect(new Set(names).size).toBe(10);
  for (const name of names) {
    expect(name).toMatch(attributeName);
    expect(reservedAttributeNames).not.toContain(name);
  }
});
