import { expect, test } from 'vitest';
import type { OpenApiDocument } from './document.ts';
import { exampleOf } from './example-of.ts';

const document = {
  components: { schemas: { Row: { type: 'object', properties: { name: { type: 'string', examples: ['CITY'] } } } } },
} as unknown as OpenApiDocument;

test('the example of a shape is made of the examples of its parts', () => {
  const shape = {
    type: 'object',
    properties: {
      rows: { type: 'array', items: { $ref: '#/components/schemas/Row' } },
      count: { type: 'integer', minimum: 1 },
      word: { enum: ['and', 'or'] },
      next: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
  };
  expect(exampleOf(document, shape, 'answer')).toEqual({ rows: [{ name: 'CITY' }], count: 1, word: 'and', next: null });
});

test('a text without an example is an error that names its place', () => {
  const shape = { type: 'object', properties: { rows: { type: 'array', items: { type: 'string' } } } };
  expect(() => exampleOf(document, shape, 'listRows')).toThrow('listRows.rows[] has no example');
});
