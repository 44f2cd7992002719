import { expect } from 'vitest';
import type { Answer, TestAccount, TestService } from '../support/service.ts';

/** Paths of the operations that change attributes. */
export const path = {
  create: '/client/attribute/create',
  update: '/client/attribute/update',
  delete: '/client/attribute/delete',
} as const;

/** An account of a test with calls that tests of attributes need. */
export interface AttributeAccount extends TestAccount {
  /** Creates attributes and answers what operators see of the request when it was applied. */
  create(...data: object[]): Promise<Answer['body']>;
  update(...data: object[]): Promise<Answer>;
  /** The attributes with these names, in order of their names. */
  find(...names: string[]): Promise<Record<string, unknown>[]>;
  /** Creates a contact, or merges into the one that there is. */
  contact(identity: string, attributes: object): Promise<Answer['body']>;
  /** The values of some fields of all contacts, in order of their identities. */
  values(...fields: string[]): Promise<unknown[][]>;
}

/** Makes an account for one test. */
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
    contact: (identity, attributes) =>
      account.apply('/contact/create', { data: { contact_type: 'identified', contacts: [{ identity, attributes }] } }),
    async values(...fields) {
      const output = { fields, sorting: [{ field: 'identity' }], pagination: { limit: 1000 } };
      return (await account.rows({ output })).map((row) => fields.map((field) => row[field]));
    },
  };
}

/** The places and codes of a refusal. */
export function faults(answer: Answer): string[] {
  expect(answer.status).toBe(400);
  return answer.body.errors.map(({ code, field }: { code: string; field: string }) => `${field} ${code}`);
}
