import { expect, test } from 'vitest';
import { clientShapes, typeOf } from './client-shapes.ts';

test('a schema becomes the type of its values', () => {
  expect(typeOf({ type: 'integer' }, '')).toBe('number');
  expect(typeOf({ type: ['string', 'integer', 'number'] }, '')).toBe('string | number');
  expect(typeOf({ enum: ['and', "it's", null, 1] }, '')).toBe("'and' | 'it\\'s' | null | 1");
  expect(typeOf({ anyOf: [{ type: 'string' }, { type: 'null' }, { $ref: 'Account#' }] }, '')).toBe(
    'string | null | Account',
  );
  expect(typeOf({ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, '')).toBe(
    'ReadonlyArray<string | null>',
  );
  expect(typeOf({ type: 'object', patternProperties: { '.*': { type: 'boolean' } } }, '')).toBe(
    '{ readonly [name: string]: boolean }',
  );
  expect(typeOf({}, '')).toBe('unknown');
});

test('an object type has the fields with their descriptions', () => {
  const schema = {
    type: 'object',
    properties: { id: { type: 'integer', description: 'The */ number.' }, name: { type: 'string' } },
    required: ['id'],
  };
  expect(typeOf(schema, '')).toBe(
    '{\n  /** The *\\/ number. */\n  readonly id: number;\n  readonly name?: string | undefined;\n}',
  );
});

test('every shape has one unique name, and refers only to existing shapes', () => {
  const text = clientShapes();
  const names = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(['CreateContactsBody', 'Account', 'PageQuery', 'Shapes']));
  for (const [, name] of text.matchAll(/: readonly ([A-Z]\w+)\[\]/g)) expect(names).toContain(name);
});
