import { readFile } from 'node:fs/promises';
import * as contract from '@roster/contract';
import { describe, expect, test } from 'vitest';
import { operations } from '../src/wire/operation-table.ts';
import type { Operation } from '../src/wire/operations.ts';

interface Described {
  readonly operationId: string;
  readonly security: readonly Record<string, unknown>[];
  readonly parameters?: readonly { readonly $ref?: string; readonly in?: string; readonly name?: string }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: Schema }> }>;
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: { readonly data?: { readonly items?: Schema } };
}

const file = new URL('../../../docs/openapi.json', import.meta.url);
const document = JSON.parse(await readFile(file, 'utf8')) as { paths: Record<string, Record<string, Described>> };

/** The exports of the contract, by name. */
const schemas = new Map(Object.entries(contract) as [string, { readonly properties: object }][]);

const nameOf = (schema: Schema | undefined): string | undefined => schema?.$ref?.split('/').at(-1);

/**
 * An operation of the OpenAPI document, in the form of the table, without the fields that only the
 * table has.
 */
function fromDocument(path: string, method: string, operation: Described) {
  const { parameters = [], requestBody, responses, security } = operation;
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))![1];
  const answer = success.content?.['application/json']?.schema;
  const names = (place: string) => parameters.flatMap(({ in: where, name }) => (where === place ? [name!] : []));
  return {
    method: method.toUpperCase(),
    path,
    credential: Object.keys(security[0] ?? { none: [] })[0],
    places: names('path').sort(),
    query: names('query').sort(),
    body: nameOf(requestBody?.content['application/json']?.schema),
    answer: nameOf(answer),
    page: nameOf(answer?.properties?.data?.items),
    takesKey: parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')),
  };
}

/** An operation of the table, in the same form. */
function fromTable({ method, path, credential, query, body, answer, page, repeat }: Operation) {
  const fields = (query === undefined ? undefined : schemas.get(query)) ?? { properties: {} };
  return {
    method,
    path,
    credential,
    places: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort(),
    query: Object.keys(fields.properties).sort(),
    body,
    answer,
    page,
    takesKey: repeat === 'with-key',
  };
}

const all = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe("the client's table of operations", () => {
  test('the table has every operation of the OpenAPI document and no other', () => {
    expect(Object.keys(operations).sort()).toEqual(all.map(({ operation }) => operation.operationId).sort());
  });

  test.each(all)(
    'the table and the OpenAPI document agree on $operation.operationId',
    ({ path, method, operation }) => {
      const entry: Operation | undefined = operations[operation.operationId as keyof typeof operations];
      const expected = fromDocument(path, method, operation);
      // The fields of apiv2 can be in the query. The client sends them in the body.
      if (operation.operationId === 'getUserActivity') expected.query = [];
      expect(fromTable(entry)).toEqual(expected);
    },
  );

  test('every shape that the table names exists in the contract', () => {
    const ids = new Set(
      Object.values(contract).flatMap((value) =>
        typeof value === 'object' && '$id' in value && typeof value.$id === 'string' ? [value.$id] : [],
      ),
    );
    const named = Object.values(operations).flatMap(({ body, answer, page }: Operation) => [body, answer, page]);
    for (const name of named) if (name !== undefined) expect(ids).toContain(name);
  });
});
