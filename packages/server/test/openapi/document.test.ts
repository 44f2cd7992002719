import { Validator } from '@seriousme/openapi-schema-validator';
import { apiErrors, failureKinds } from '@roster/contract';
import { operationTable, requestFailures, storesRequests, type OperationId } from '@roster/contract/operations';
import { describe, expect, test } from 'vitest';
import { json, type MediaType, operationsOf } from '#platform/http/openapi/document.ts';
import { describeInterface } from '#app/api/offline.ts';
import { answerOf, explain, schemaValidators } from '../support/conforms.ts';

const document = await describeInterface();

test('the document is a valid OpenAPI 3.1 document in which every reference resolves', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(document) as unknown as Record<string, unknown>);
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
  expect(validator.version).toBe('3.1');
  for (const [, pointer] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)) {
    expect(resolve(pointer!), pointer).toBeTypeOf('object');
  }
});

test('the document contains no internal keywords and no internal formats', () => {
  expect(keywordsOf(document.components.schemas)).not.toContainEqual(expect.stringMatching(/^x-|^\$id$/));
  const withoutExamples = (key: string, value: unknown) => (/^examples?$/.test(key) ? undefined : value);
  const text = JSON.stringify(document, withoutExamples);
  const formats = [...text.matchAll(/"format":"([^"]+)"/g)].map(([, format]) => format!);
  expect([...new Set(formats)].sort()).toEqual(['date', 'date-time', 'email', 'uuid']);
});

test('every operation has a unique id, a summary, a description and a tag with a description', () => {
  const operations = [...operationsOf(document)].map(({ operation }) => operation);
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = document.tags.filter(({ description }) => description !== undefined).map(({ name }) => name);
  for (const { operationId, summary, description, tags: used } of operations) {
    expect(operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(summary, operationId).toMatch(/^[A-Z].*[^.]$/);
    expect(description, operationId).toMatch(/\.$|\|$/);
    expect(used, operationId).toHaveLength(1);
    expect(tags, operationId).toContain(used[0]);
  }
});

test('the document lists the contact operations only with their version in the path', () => {
  const paths = Object.keys(document.paths).filter((path) => path.includes('/contact/'));
  expect(paths.length).toBeGreaterThan(0);
  for (const path of paths) expect(path).toMatch(/^\/v5\/|^\/v3\/contact\/(?:batchadd|blacklist)$/);
});

test('every parameter has a description', () => {
  for (const { path, operation } of operationsOf(document)) {
    for (const parameter of operation.parameters ?? []) {
      if ('$ref' in parameter) continue;
      expect(parameter.description, `${path} ${parameter.name}`).toMatch(/\.$/);
    }
  }
});

test('every asynchronous operation documents the failure codes of its items', () => {
  const asynchronous = Object.values(operationTable).filter(storesRequests);
  expect(asynchronous.length).toBeGreaterThan(5);
  for (const { path, method } of asynchronous) {
    const { description } = document.paths[path]![method.toLowerCase()]!;
    expect(description, path).toContain('| `internal` | not applied |');
  }
  // The operations together document every failure code.
  const codes = new Set(Object.values(requestFailures).flat());
  expect([...codes].sort()).toEqual(Object.keys(failureKinds).sort());
});

test('only the two contact searches explain the filter language', () => {
  const explained = [...operationsOf(document)].filter(({ operation }) =>
    operation.description.includes('### Filters'),
  );
  expect(explained.map(({ operation }) => operation.operationId).sort()).toEqual(['searchAudience', 'searchContacts']);
});

test('attribute search documents only its own fields, and nothing of contact search', () => {
  const search = document.paths['/v5/client/attribute/search']!['post']!;
  const body = document.components.schemas['SearchAttributesBody']!;
  expect(JSON.stringify([search, body])).not.toMatch(/contact_id|segment_id|is_null|next_cursor|all contacts/);
  const properties = (schema: unknown) => (schema as { properties: Record<string, unknown> }).properties;
  const { pagination } = properties(properties(body)['output']);
  expect(Object.keys(properties(pagination))).toEqual(['page', 'limit']);
});

test('the schema of a mobile number accepts a text or number of 6 to 15 digits', () => {
  const schema = document.components.schemas['DeleteContactsBody']!;
  const validate = schemaValidators(document)(schema);
  const fits = (mobile: unknown) => validate({ data: { contacts: [{ mobile }] } });
  for (const mobile of ['919812345678', '+91 98123-45678', 919812345678, '123456']) expect(fits(mobile)).toBe(true);
  for (const mobile of ['12345', '1'.repeat(16), '-919812345678', 12345, -919812345678, 1.5])
    expect(fits(mobile)).toBe(false);
});

test('every schema in the components has a description', () => {
  const without = Object.entries(document.components.schemas).filter(
    ([, { description }]) => description === undefined,
  );
  expect(without.map(([name]) => name)).toEqual([]);
});

test.each(['/v4/audience/export', '/v3/contact/batchadd'])(
  '%s documents its callback, without a credential, with an example that fits the schema',
  (path) => {
    const [callback] = Object.values(document.paths[path]!['post']!.callbacks!);
    const [address, methods] = Object.entries(callback!)[0]!;
    expect(address).toMatch(/^\{\$request\.body#\/.+\}$/);
    const post = methods['post'] as { security?: unknown; requestBody: { content: Record<string, MediaType> } };
    const { requestBody, security } = post;
    expect(security).toEqual([]);
    const { schema, example } = requestBody.content[json]!;
    const validate = schemaValidators(document)(schema);
    expect(validate(example) ? '' : explain(validate)).toBe('');
  },
);

describe('the examples of the OpenAPI document', () => {
  test('exist for every body and every answer, and fit their schemas', () => {
    const validatorOf = schemaValidators(document);
    for (const { place, media } of bodies()) {
      const values = Object.entries(media.examples ?? {}).map(([name, { value }]) => [name, value] as const);
      if (media.example !== undefined) values.push(['example', media.example]);
      expect(values.length, place).toBeGreaterThan(0);
      for (const [name, value] of values) {
        const validate = validatorOf(media.schema);
        expect(validate(value) ? '' : explain(validate), `${place} ${name}`).toBe('');
      }
    }
  });

  test('exist for every error of a status, with the status and the description of the catalogue', () => {
    for (const { place, status, media } of bodies()) {
      if (Number(status) < 400) continue;
      for (const [code, { value }] of Object.entries(media.examples ?? {})) {
        const error = apiErrors[code as keyof typeof apiErrors];
        expect(error.status, `${place} ${code}`).toBe(Number(status));
        expect(JSON.stringify(value), place).not.toMatch(/\{\w+\}/);
        const body = commonShape(value as object);
        if (body === undefined) continue;
        expect(body.status).toBe(error.status);
        expect(body.description).not.toMatch(/[{}]/);
        if (code === 'invalid_request') expect(body.errors.length, place).toBeGreaterThan(0);
        expect(media.examples).toHaveProperty(code);
      }
    }
  });

  test('include 405, 500 and 503 for every operation, and 401 unless it needs no credential', () => {
    for (const { path, operation } of operationsOf(document)) {
      const needsCredential = operationTable[operation.operationId as OperationId].generation !== 'sign-in';
      const expected = [...(needsCredential ? ['401'] : []), '405', '500', '503'];
      expect(Object.keys(operation.responses), path).toEqual(expect.arrayContaining(expected));
    }
  });

  test('come with descriptions of the headers of the answers', () => {
    const create = document.paths['/v5/contact/create']!['post']!;
    const headersOf = (status: string) => Object.keys(answerOf(document, create.responses[status]!).headers ?? {});
    expect(headersOf('200')).toEqual([
      'X-Request-Id',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Preference-Applied',
    ]);
    expect(headersOf('405')).toEqual(['X-Request-Id', 'Allow']);
    expect(headersOf('429')).toContain('Retry-After');
    expect(headersOf('503')).toEqual(['X-Request-Id', 'Retry-After']);
    expect(create.parameters).toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' });
  });
});

interface V4Body {
  readonly statusCode: number;
  readonly data: { readonly description: string; readonly errors: unknown[] };
}

/**
 * Returns the common fields of the error shapes of V5, v4 and v3. Returns undefined for apiv2,
 * which has only two texts.
 */
function commonShape(value: object): { status: number; description: string; errors: unknown[] } | undefined {
  if ('details' in value) return undefined;
  // An error of batch add has only a status and a message.
  if (Object.keys(value).join() === 'message,status') {
    const { message, status } = value as { message: string; status: number };
    return { status, description: message, errors: [] };
  }
  const body = value as { code: number; description: string; errors: unknown[]; data?: never } | V4Body;
  const { description, errors } = body.data ?? body;
  return { status: body.data === undefined ? body.code : body.statusCode, description, errors };
}

function* bodies(): Generator<{ place: string; status: string; media: MediaType }> {
  for (const { path, method, operation } of operationsOf(document)) {
    for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) {
      yield { place: `${method} ${path} ${type}`, status: '', media };
    }
    for (const [status, answer] of Object.entries(operation.responses)) {
      const media = answerOf(document, answer).content?.[json];
      if (media !== undefined) yield { place: `${method} ${path} ${status}`, status, media };
    }
  }
}

function resolve(pointer: string): unknown {
  let place: unknown = document;
  for (const key of pointer.slice(2).split('/')) place = (place as Record<string, unknown> | undefined)?.[key];
  return place;
}

/** Returns every key in a tree of schemas. */
function keywordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keywordsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keywordsOf(inner)]);
}
