import { isAttributeName, reservedAttributeNames, systemAttributeNames } from '@roster/contract';
import { expect, test } from 'vitest';
import { fieldTable } from '#features/search/filter/fields.ts';
import { systemAttributes } from './system-attributes.ts';

test('the names of search fields are reserved, so no attribute can have one', () => {
  for (const field of Object.keys(fieldTable)) expect(reservedAttributeNames).toContain(field.toUpperCase());
});

test('the system attributes are those of the contract, and their names are valid', () => {
  expect(systemAttributes.map(({ name }) => name)).toEqual([...systemAttributeNames]);
  for (const name of systemAttributeNames) expect(isAttributeName(name)).toBe(true);
});
