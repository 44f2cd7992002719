import type { Faults } from '@roster/contract';
import { encodePayloadInThread } from '#pipeline/operations/payload.ts';
import { readShape, type BodyJob, type BodyResult } from '#platform/http/bodies/body-task.ts';
import { splitByKeys, type Split } from '#pipeline/operations/split-payload.ts';
import { contactOperations } from '../operations/contact-operations.ts';
import { checkIdentities } from './check-identities.ts';
import { contactShapes, prepareContacts, type ContactsTask } from './prepare-contacts.ts';

declare module '#platform/http/bodies/body-task.ts' {
  interface BodyTasks {
    contacts: ContactsTask;
  }
}

/** Reads and checks a body of contacts, and encodes the payload of its request. */
export function doContactsTask({ task, bytes }: BodyJob<ContactsTask>): BodyResult {
  const check = (body: unknown, found: Faults): void => checkIdentities(body ?? {}, task, found);
  const { value, faults } = readShape(contactShapes[task.operation], bytes, undefined, check);
  if (faults.length > 0) return { faults };
  const prepared = prepareContacts(value as never, task);
  const { split } = contactOperations[task.operation];
  const splitContacts = task.splitBy === undefined ? undefined : splitByKeys<never>(split, task.splitBy);
  return { value: { ...prepared, payload: encodePayloadInThread(prepared.payload, splitContacts as Split) }, faults };
}
