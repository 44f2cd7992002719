import { identifiersOf } from '#features/contacts/model/identifiers.ts';
import { contactKey } from '#features/contacts/model/identity.ts';
import type { ContactRequest } from '#features/contacts/batch/contact-request.ts';
import type { OperationDefinitions } from '#pipeline/operations/operation.ts';
import type { PeopleInPayload } from '#pipeline/operations/people-in-payload.ts';
import { peopleInArray } from '#features/contacts/model/people-in-payload.ts';
import { withoutRecordId, type LoggedRecords } from './record/logged-record.ts';
import { addLateKeys, addLookups, applyRecord, prepareRequest } from './batch/apply-record.ts';

declare module '#pipeline/operations/payload.ts' {
  interface Payloads {
    'activity.record': LoggedRecords;
  }
}

const recordItems = peopleInArray<'records', LoggedRecords>('records', () => 'finds');

/** Shows records without `record_id`, which is internal. */
const people: PeopleInPayload<LoggedRecords> = {
  ...recordItems,
  items: (payload, primaryKey) =>
    recordItems.items(payload, primaryKey).map((item) => ({
      ...item,
      show: () => withoutRecordId(payload.records[item.index]!),
    })),
};

/** The pipeline operation that records activities. */
export const activityOperations: OperationDefinitions = {
  'activity.record': {
    people,
    // Recording compares an activity with the earlier ones of its contact, so its key counts even
    // if it does not look up the contact.
    split: {
      property: 'records',
      keysOf:
        ({ records }, primaryKey) =>
        (item) => {
          const key = contactKey(primaryKey, records[item]!.identity);
          return key === undefined ? [] : [key];
        },
    },
    prepare({ records }, { index, at }): ContactRequest {
      const request = prepareRequest(records, index, at);
      return {
        index,
        size: records.length,
        names: (item, primaryKey) => identifiersOf(records[item]!, primaryKey),
        listIds: () => undefined,
        lookups: (item, primaryKey, into) => addLookups(request, item, primaryKey, into),
        lateKeys: (item, primaryKey, before, into) => addLateKeys(request, item, primaryKey, before, into),
        apply: (item, state, failures) => applyRecord(state, request, item, failures),
      };
    },
  },
};
