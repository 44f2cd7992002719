import { identifiersOf } from '#features/contacts/model/identifiers.ts';
import type { ContactRequest } from '#features/contacts/batch/contact-request.ts';
import type { OperationDefinitions } from '#pipeline/operations/operation.ts';
import type { LoggedRecords } from '../record/logged-record.ts';
import { applyRecord, lateKeys, recordLookups, recordRequest } from './apply-record.ts';

declare module '#pipeline/operations/payload.ts' {
  interface Payloads {
    'activity.record': LoggedRecords;
  }
}

/** The asynchronous operation that records activities. */
export const activityOperations: OperationDefinitions = {
  'activity.record': {
    prepare({ records }, { index, at }): ContactRequest {
      const request = recordRequest(records, index, at);
      return {
        index,
        size: records.length,
        names: (item, primaryKey) => identifiersOf(records[item]!, primaryKey),
        listIds: () => undefined,
        lookups: (item, primaryKey, into) => recordLookups(request, item, primaryKey, into),
        lateKeys: (item, primaryKey, before, into) => lateKeys(request, item, primaryKey, before, into),
        apply: (item, state, failures) => applyRecord(state, request, item, failures),
      };
    },
  },
};
