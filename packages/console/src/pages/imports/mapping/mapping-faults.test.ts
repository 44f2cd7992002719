import { expect, test } from 'vitest';
import type { ColumnChoice } from './column-choice.ts';
import { findMappingFaults, type MappingRules } from './mapping-faults.ts';
import { describeColumns } from './suggest.ts';

const attributes = [
  { name: 'FIRST_NAME', dataType: 'text' },
  { name: 'CITY', dataType: 'text' },
];

/** Returns the faults of the suggested mapping of a file, with the choices of a person. */
function faultsOf(
  headers: readonly string[],
  chosen: Readonly<Record<string, ColumnChoice>> = {},
  rules: Partial<MappingRules> = {},
): (string | boolean)[][] {
  const { columns } = describeColumns(headers, [headers.map(() => 'x')], { attributes, earlier: undefined });
  const choices = { ...Object.fromEntries(columns.map(({ header, suggestion }) => [header, suggestion])), ...chosen };
  const found = findMappingFaults(columns, choices, { format: 'csv', mode: 'upsert', primaryKey: 'EMAIL', ...rules });
  return found.map(({ kind, name, isFatal }) => [kind, name, isFatal]);
}

test('a mapping with an identity and distinct columns has no fault', () => {
  expect(faultsOf(['E-mail address', 'First name', 'Town'])).toEqual([]);
  expect(faultsOf(['IDENTITY', 'CITY'], {}, { primaryKey: 'CUSTOMER_ID' })).toEqual([]);
});

test('columns with the same name are left out, and cannot be chosen', () => {
  expect(faultsOf(['EMAIL', 'CITY', 'CITY'])).toEqual([['leftOutTogether', 'CITY', false]]);
  expect(faultsOf(['EMAIL', 'CITY', 'CITY'], { CITY: 'CITY' })).toEqual([['repeatedName', 'CITY', true]]);
  expect(faultsOf(['EMAIL', 'EMAIL'])).toEqual([
    ['leftOutTogether', 'EMAIL', false],
    ['noIdentity', 'EMAIL', true],
  ]);
});

test('columns whose names differ only in the letter case are refused until one is left out', () => {
  expect(faultsOf(['EMAIL', 'CITY', 'City'])).toEqual([['repeatedName', 'CITY', true]]);
  expect(faultsOf(['EMAIL', 'CITY', 'City'], { CITY: null, City: 'CITY' })).toEqual([]);
});

test('two columns cannot be written to the same field, except opt-outs', () => {
  expect(faultsOf(['EMAIL', 'CITY', 'Town'], { Town: 'CITY' })).toEqual([['repeatedField', 'CITY', true]]);
  expect(faultsOf(['EMAIL', 'A', 'B'], { A: 'EMAIL_OPTED_OUT', B: { field: 'EMAIL_OPTED_OUT' } })).toEqual([]);
});

test('a file without the primary key is refused, and NDJSON only gets a warning', () => {
  expect(faultsOf(['CITY'])).toEqual([['noIdentity', 'EMAIL', true]]);
  expect(faultsOf(['CITY'], {}, { format: 'ndjson' })).toEqual([['noIdentity', 'EMAIL', false]]);
  expect(faultsOf(['EMAIL'], {}, { primaryKey: 'CUSTOMER_ID' })).toEqual([['noIdentity', 'CUSTOMER_ID', true]]);
});

test('an update can find contacts by another field than the primary key', () => {
  expect(faultsOf(['EMAIL'], {}, { primaryKey: 'CUSTOMER_ID', mode: 'update' })).toEqual([]);
  expect(faultsOf(['CITY'], {}, { mode: 'update' })).toEqual([['noIdentityToUpdate', 'EMAIL', true]]);
});
