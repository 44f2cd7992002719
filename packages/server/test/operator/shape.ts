import * as contract from '@roster/contract';
import type { TProperties, TSchema } from 'typebox';
import { Check, Clean, Errors } from 'typebox/value';
import { expect } from 'vitest';

/** Every shape of the contract that has an id, for references. */
const shapes: TProperties = Object.fromEntries(
  Object.values(contract as Record<string, unknown>)
    .filter(
      (value): value is TSchema & { $id: string } => typeof value === 'object' && value !== null && '$id' in value,
    )
    .map((schema) => [schema.$id, schema]),
);

/** Expects an answer to have exactly the fields of its shape, and no other fields. */
export function expectShape(shape: TSchema, answer: unknown): void {
  if (!Check(shapes, shape, answer)) expect.fail(JSON.stringify(Errors(shapes, shape, answer)));
  expect(answer).toEqual(Clean(shapes, shape, structuredClone(answer)));
}
