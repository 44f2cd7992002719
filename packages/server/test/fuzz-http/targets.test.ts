import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type OpenApiDocument, operationsOf } from '#platform/http/openapi/document.ts';
import { createRandom } from '../crash/random.ts';
import { schemaValidators } from '../support/conforms.ts';
import { valueOf } from './schema-values.ts';
import { targetsOf } from './targets.ts';

const file = path.join(import.meta.dirname, '../../../../docs/openapi.json');
const document = JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;
const targets = targetsOf(document);
const validatorOf = schemaValidators(document);

test('the fuzz test sends hostile requests to every operation whose answer ends', () => {
  const names = new Set(targets.filter(({ weight }) => weight > 0).map(({ name }) => name));
  const all = [...operationsOf(document)].map(({ operation }) => operation.operationId);
  expect(all.filter((name) => !names.has(name))).toEqual(['streamRunning']);
});

test('the fuzz test knows the credential of each operation from the OpenAPI document', () => {
  const kinds = new Set(targets.filter(({ isDescribed }) => isDescribed).map(({ credential }) => credential));
  expect([...kinds].sort()).toEqual(['apiKey', 'apiKeyParameter', 'none', 'operatorToken']);
});

const described = targets.filter(({ isDescribed, path: place }) => isDescribed && !place.startsWith('/contact/'));
const shapes = described.flatMap(({ name, bodies }) =>
  bodies.flatMap(({ mediaType, schema }) => (mediaType === 'application/json' ? [{ name, schema }] : [])),
);

test.each(shapes)(
  'more than a fifth of the bodies that are generated from the schema of $name are valid',
  ({ schema }) => {
    const isValid = validatorOf(schema);
    const random = createRandom(1);
    const bodies = Array.from({ length: 100 }, () => valueOf(document, schema, random, () => undefined));
    expect(bodies.filter((body) => isValid(body)).length).toBeGreaterThan(20);
  },
);
