import type { Author } from '#platform/audit-log/audit-log.ts';
import { requestOn, type ContactRequest } from '#features/contacts/batch/contact-request.ts';
import { personById } from '#features/contacts/model/people-in-payload.ts';
import type { OperationDefinitions } from '#pipeline/operations/operation.ts';
import { applyErase } from './batch/apply-erase.ts';

declare module '#pipeline/operations/payload.ts' {
  interface Payloads {
    'contact.erase': { readonly contact_id: number; readonly erasure_id: string; readonly author: Author };
  }
}

/** The pipeline operation that erases a contact. */
export const erasureOperations: OperationDefinitions = {
  'contact.erase': {
    people: personById,
    prepare({ contact_id: contactId, erasure_id: erasureId, author }, { index, at }): ContactRequest {
      return {
        ...requestOn([{}], index),
        lookups: (_item, _primaryKey, into) => into.add({ by: 'id', value: contactId }),
        apply: (_item, state, failures) => applyErase(state, at, { contactId, erasureId, author }, failures),
      };
    },
  },
};
