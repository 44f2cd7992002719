import { expect } from 'vitest';
import type { Answer, TestAccount, TestService } from '../support/service.ts';

/** Paths of the operations that change attributes. */
export const path = {
  create: '/client/attribute/create',
  update: '/client/attribute/update',
  delete: '/client/attribute/delete',
} as const;

/** An account of a test, with the calls that tests of attributes need. */
export interface AttributeAccount extends TestAccount {
  /** Creates attributes, and returns the applied request as operators see it. */
  create(...data: object[]): Promise<Answer['body']>;
  update(...data: object[]): Promise<Answer>;
  /** The attributes with these names, ordered by name. */
  find(...names: string[]): Promise<Record<string, unknown>[]>;
  /** Creates a contact, or merges the attributes into the existing contact. */
  contact(identity: string, attributes: object): Promise<Answer['body']>;
  /** The values of some fields of all contacts, ordered by identity. */
  values(...fields: string[]): Promise<unknown[][]>;
}

/** Creates an account for one test. */
export async function attributeAccount(
  service: TestService,
  body: object = { name: 'Attributes' },
): Promise<AttributeAccount> {
  const account = await service.createAccount(body);
  return {
    ...account,
    create: (...data) => account.apply(path.create, { data }),
    update: (...data) => account.v5(path.update, { data }),
    async find(...names) {
      const condition = { field: 'name', operation: 'equals', value: names };
      const answer = await account.v5('/client/attribute/search', {
        filtering_criteria: [{ condition_details: [condition] }],
        output: { pagination: { limit: 1000 } },
      });
      expect(answer.status).toBe(200);
      return answer.body.data;
    },
    contact: (identity, attributes) => account.createContacts([{ identity, attributes }]),
    async values(...fields) {
      const output = { fields, sorting: [{ field: 'identity' }], pagination: { limit: 1000 } };
      return (await account.rows({ output })).map((row) => fields.map((field) => row[field]));
    },
  };
}

/** The field and code of each fault of a refused request. */
export function faults(answer: Answer): string[] {
  expect(answer.status).toBe(400);
  return answer.body.errors.map(({ code, field }: { code: string; field: string }) => `${field} ${code}`);
}
