import { requestOn, type ContactRequest } from '#features/contacts/batch/contact-request.ts';
import { singlePerson } from '#features/contacts/model/people-in-payload.ts';
import type { OperationDefinitions, RequestFacts } from '#pipeline/operations/operation.ts';
import { applyConfirmation, applySignUp, signUpLookups, type SignUpContact } from './apply-sign-up.ts';

declare module '#pipeline/operations/payload.ts' {
  interface Payloads {
    'contact.sign-up': { readonly contact: SignUpContact };
    'contact.confirm': { readonly contact: SignUpContact };
  }
}

/** The pipeline operations of sign-ups. */
export const signUpOperations: OperationDefinitions = {
  'contact.sign-up': { prepare: ({ contact }, facts) => prepare(contact, facts, applySignUp), people: singlePerson },
  'contact.confirm': {
    prepare: ({ contact }, facts) => prepare(contact, facts, applyConfirmation),
    people: singlePerson,
  },
};

function prepare(
  contact: SignUpContact,
  { index, at }: RequestFacts,
  apply: typeof applySignUp | typeof applyConfirmation,
): ContactRequest {
  return {
    ...requestOn([contact], index),
    lookups: (_item, primaryKey, into) => signUpLookups(contact, primaryKey, into),
    apply: (_item, state, failures) => apply(state, { index, at }, contact, failures),
  };
}
