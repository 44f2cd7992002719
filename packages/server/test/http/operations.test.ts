import { operationTable } from '@roster/contract/operations';
import { expect, test } from 'vitest';
import { buildUnconnectedApp } from '#app/api/offline.ts';
import { features } from '#app/features.ts';
import type { Feature } from '#platform/feature.ts';
import { operationsOf, type OpenApiDocument } from '#platform/http/openapi/document.ts';

/** Returns the operations that a service with only these features serves and describes. */
async function servedBy(some: readonly Feature[]): Promise<string[]> {
  const app = await buildUnconnectedApp({}, some);
  try {
    const document = app.swagger() as unknown as OpenApiDocument;
    return Array.from(operationsOf(document), ({ operation }) => operation.operationId);
  } finally {
    await app.close();
  }
}

test('exactly one feature serves each operation of the contract', async () => {
  const served: string[] = [];
  for (const feature of features) served.push(...(await servedBy([feature])));
  expect(served.sort()).toEqual(Object.keys(operationTable).sort());
});

test('a service without a feature serves the operations of all others', async () => {
  const others = features.filter(({ name }) => name !== 'mails');
  const expected = Object.keys(operationTable).filter((id) => id !== 'listMails' && id !== 'getMail');
  expect((await servedBy(others)).sort()).toEqual(expected.sort());
});
