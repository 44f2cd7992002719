import { expect, test } from 'vitest';
import type { OpenApiDocument } from './document.ts';
import { exampleOf } from './example-of.ts';

const document = {
  components: { schemas: { Row: { type: 'object', properties: { name: { type: 'string', examples: ['CITY'] } } } } },
} as unknown as OpenApiDocument;

test('exampleOf combines the examples of the parts of a schema', () => {
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

test('exampleOf throws an error with the path of a text that has no example', () => {
  const shape = { type: 'object', properties: { rows: { type: 'array', items: { type: 'string' } } } };
  expect(() => exampleOf(document, shape, 'listRows')).toThrow('listRows.rows[] has no example');
});
