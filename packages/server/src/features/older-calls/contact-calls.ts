import { failureKinds, Faults } from '@roster/contract';
import { keyOf } from '#features/batch-add/report.ts';
import { translateContact } from '#features/batch-add/translate.ts';
import { readObject } from '#features/user-activity/data.ts';
import { awaitResult } from '#pipeline/accept/await-result.ts';
import { splitByOf } from '#pipeline/accept/split-by.ts';
import type { ItemFailure } from '#pipeline/operations/item-result.ts';
import type { Payloads } from '#pipeline/operations/payload.ts';
import { faultsError, invalidField, type ApiError } from '#platform/errors/api-error.ts';
import type { OlderCall, OlderRequest } from '#platform/http/older-calls/older-calls.ts';
import { isEmpty } from '#platform/http/parameters/parameters.ts';
import type { Service } from '#platform/http/server/service.ts';
import { readIdentity, readListId } from './read-parameters.ts';

const permission = 'contacts:write';

/** The older calls that change one contact. Each becomes a request of the pipeline. */
export const contactCalls: readonly OlderCall[] = [
  {
    type: 'contact',
    activity: 'add',
    permission,
    handle: async (service, request) => accept(service, request, 'contact.create', creationOf(request)),
  },
  {
    type: 'contact',
    activity: 'addsync',
    permission,
    async handle(service, request) {
      await accept(service, request, 'contact.create', creationOf(request));
      const { requestId, credential, disconnectSignal } = request;
      const { accountId, primaryKey } = credential;
      const signal = disconnectSignal();
      const { failures } = await awaitResult(service.context, { accountId, requestId }, { signal });
      const refusal = failures.find(({ code }) => !failureKinds[code].warning);
      if (refusal !== undefined) throw refused(refusal, primaryKey);
      return requestId;
    },
  },
  {
    type: 'contact',
    activity: 'update',
    permission,
    handle: async (service, request) => accept(service, request, 'contact.update', { contacts: [contactOf(request)] }),
  },
  {
    type: 'contact',
    activity: 'delete',
    permission,
    async handle(service, request) {
      const faults = new Faults();
      const identity = readIdentity(request, 'data', faults);
      const list = readListId(request, faults);
      const { listid } = request.parameters;
      if (listid !== undefined && isEmpty(listid)) {
        faults.add('required', 'must not be blank. Leave it out to delete the contact from the account', 'listid');
      }
      if (faults.count > 0) throw faultsError(faults);
      // With a list, the contact only leaves this list.
      const contact = { identity: identity!, ...(list === undefined ? {} : { audience_details: inList(list) }) };
      return accept(service, request, 'contact.delete', { contacts: [contact] });
    },
  },
];

async function accept<Operation extends 'contact.create' | 'contact.update' | 'contact.delete'>(
  { acceptor, context }: Service,
  { requestId, credential }: OlderRequest,
  operation: Operation,
  payload: Payloads[Operation],
): Promise<string> {
  const { accountId } = credential;
  const splitBy = splitByOf(credential);
  await acceptor.accept({ accountId, requestId, operation, payload, total: 1, idempotency: undefined, splitBy });
  context.metrics.accepted.inc({ operation }, 1);
  return requestId;
}

function creationOf(request: OlderRequest): Payloads['contact.create'] {
  const rejects = request.credential.settings.reject_existing_contacts === true;
  return {
    contact_type: 'identified',
    contacts: [contactOf(request)],
    ...(rejects ? { reject_existing: true as const } : {}),
  };
}

/** Reads the contact in `data`. Throws `invalid_request` with all faults. */
function contactOf(request: OlderRequest) {
  const { primaryKey } = request.credential;
  const faults = new Faults();
  const form = `an object with ${primaryKey} and other attributes, such as {"${primaryKey}": "…", "FIRST_NAME": "Asha"}`;
  const given = readObject(request.parameters.data, form, faults);
  const list = readListId(request, faults);
  if (faults.count > 0) throw faultsError(faults);
  const contact = translateContact(given, primaryKey);
  if ('code' in contact) throw refused(contact, primaryKey);
  return list === undefined ? contact : { ...contact, audience_details: inList(list) };
}

const inList = (audienceId: number) => [{ audience_id: [audienceId] }];

/** Makes the error for a contact that cannot be applied. */
function refused(
  { code, field, message }: Pick<ItemFailure, 'code' | 'message'> & { field?: string | null },
  primaryKey: string,
): ApiError {
  const place = field === undefined || field === null ? 'data' : `data.${keyOf(field, primaryKey)}`;
  return invalidField('not_allowed', place, message ?? failureKinds[code].message);
}
