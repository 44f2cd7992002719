import { describe, expect, test } from 'vitest';
import { scopes } from '../shapes/common/permissions.ts';
import { Faults } from '../reader/faults.ts';
import { readerOf } from '../reader/reader.ts';
import { errorsOf, operationTable, paramsOf, type Operation } from './index.ts';

const all = Object.entries(operationTable).map(([id, operation]) => ({ id, ...operation }));
const ownReader: ReadonlySet<Operation['generation']> = new Set(['v3', 'apiv2']);

test('no two operations have the same method and path', () => {
  const places = all.map(({ method, path }) => `${method} ${path}`);
  expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([]);
});

describe.each(all)('the operation $id', (operation) => {
  const { generation, method, path, permission, body, examples = {}, status, answer, answerBodies } = operation;

  test('has a shape for each parameter of its path', () => {
    expect(Object.keys(paramsOf(path)?.properties ?? {}).length).toBe(path.split('{').length - 1);
  });

  test('is an operation of operators or of the sign-in if its path is below /admin/v1', () => {
    expect(path.startsWith('/admin/v1/')).toBe(generation === 'operator' || generation === 'sign-in');
  });

  test('names the permission that its caller needs, unless it is part of the sign-in', () => {
    expect(permission === undefined).toBe(generation === 'sign-in');
    if (permission === undefined) return;
    // A permission is checked in the account of the path.
    const special = ['any-account', 'signed-in', 'installation'].includes(permission);
    if (generation === 'operator') expect(path.includes('{account_id}')).toBe(!special);
    else expect(scopes).toContain(permission);
  });

  test('has an answer unless its status is 204', () => {
    expect(answer === undefined && answerBodies === undefined).toBe(status === 204);
  });

  test('is harmless to repeat if its method is GET', () => {
    if (method === 'GET') expect(operation.repeat).toBe('harmless');
  });

  test('lists each of its errors once', () => {
    const { errors = [] } = operation;
    expect(new Set(errors).size).toBe(errors.length);
    expect(errorsOf(operation)).toEqual(expect.arrayContaining([...errors]));
  });

  test('has examples for its body, and its shape reads each example without faults', () => {
    expect(Object.keys(examples).length > 0).toBe(body !== undefined);
    if (body === undefined || ownReader.has(generation)) return;
    for (const [name, { value }] of Object.entries(examples)) {
      const faults = new Faults();
      readerOf(body)(value, faults);
      expect(faults.list, name).toEqual([]);
    }
  });
});
