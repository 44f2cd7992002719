import { prepareCreate, type CreateContacts } from '#features/contacts/operations/contact-operations.ts';
import type { ContactRequest } from '#features/contacts/batch/contact-request.ts';
import { peopleInArray } from '#features/contacts/model/people-in-payload.ts';
import { fail, type ItemFailure } from '#pipeline/operations/item-result.ts';
import type { OperationDefinitions } from '#pipeline/operations/operation.ts';

declare module '#pipeline/operations/payload.ts' {
  interface Payloads {
    'contact.batch-add': CreateContacts & {
      /**
       * The failures of contacts that were refused when the batch was accepted, by their indexes.
       */
      readonly refused: Readonly<Record<number, ItemFailure>>;
    };
  }
}

/** The pipeline operation of the batch add: a create that skips the refused contacts. */
export const batchAddOperations: OperationDefinitions = {
  'contact.batch-add': {
    people: peopleInArray('contacts', () => 'linksIdentifiers'),
    prepare({ refused, ...payload }, facts): ContactRequest {
      const create = prepareCreate(payload, facts);
      return {
        ...create,
        lookups(item, primaryKey, into) {
          if (refused[item] === undefined) create.lookups(item, primaryKey, into);
        },
        apply(item, state, failures) {
          const refusal = refused[item];
          return refusal === undefined ? create.apply(item, state, failures) : fail(failures, refusal);
        },
      };
    },
  },
};
