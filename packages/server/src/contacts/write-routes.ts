import { CreateContactsBody, DeleteContactsBody, Faults, UpdateContactsBody } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../http/api-error.ts';
import type { Service } from '../http/service.ts';
import { serveV5, type V5Request } from '../http/v5.ts';
import { acceptChecked, acceptedAnswer, acceptRequest } from '../requests/accept-request.ts';
import { failuresByOperation } from '../requests/failures.ts';
import type { Payloads } from '../requests/payload.ts';
import { findExisting } from './existing.ts';
import { createExamples, deleteExamples, updateExamples } from './examples.ts';

const tag = 'Contacts';

/** The operations that change contacts; each is accepted here and applied by the pipeline (decisions §3). */
export function contactWriteRoutes(app: FastifyInstance, service: Service): void {
  serveV5(app, {
    path: '/contact/create',
    operationId: 'createContacts',
    tag,
    summary: 'Create contacts',
    description:
      'Accepts 1 to 1000 contacts. One whose identity exists is merged: given fields replace, `attributes` merge key by key, lists are added, subscriptions change, null clears. Each anonymous entry is a new contact. Repeating an identity within the request merges in order.\n\nA contact that is created or merged with `subscriptions.email: false` is `blacklisted`; `true` gives it the type back that it had before.',
    scope: 'contacts:write',
    body: CreateContactsBody,
    examples: createExamples,
    failures: failuresByOperation['contact.create'],
    errors: ['contact_exists', 'idempotency_conflict'],
    async handle(request) {
      const { data } = request.body;
      if (request.credential.settings.reject_existing_contacts !== true) {
        return accept(service, request, 'contact.create', data);
      }
      const payload = { ...data, reject_existing: true as const };
      const check = () => refuseExisting(service.context, request.credential, data);
      return acceptedAnswer(
        await acceptChecked(service, request, 'contact.create', payload, data.contacts.length, check),
      );
    },
  });
  serveV5(app, {
    path: '/contact/update',
    operationId: 'updateContacts',
    tag,
    summary: 'Update contacts',
    description:
      'Accepts changes of 1 to 1000 contacts. The first of `contact_id`, `identity`, `email`, `mobile` that is present finds the contact, the others are new values; they merge as in create.\n\nThe type of a contact changes with what happens to it: an anonymous contact that gets an `identity` becomes `identified`, `subscriptions.email: false` makes any contact `blacklisted`, `true` gives it the type back that it had before. `data.contact_type` asks for nothing but says what the contacts must be then.',
    scope: 'contacts:write',
    body: UpdateContactsBody,
    examples: updateExamples,
    failures: failuresByOperation['contact.update'],
    errors: ['idempotency_conflict'],
    handle: (request) => accept(service, request, 'contact.update', request.body.data),
  });
  serveV5(app, {
    path: '/contact/delete',
    operationId: 'deleteContacts',
    tag,
    summary: 'Delete contacts',
    description:
      'Accepts 1 to 1000 contacts to delete, with their memberships and activity. A contact with `audience_details` only leaves those lists. Whatever else looks as if less than the contact were meant (a list under another name, an attribute, a filter) is refused: ignoring it would delete the contact.',
    scope: 'contacts:write',
    body: DeleteContactsBody,
    examples: deleteExamples,
    failures: failuresByOperation['contact.delete'],
    errors: ['idempotency_conflict'],
    handle: (request) => accept(service, request, 'contact.delete', request.body.data),
  });
}

/** Refuses a create that names a contact that exists (setting `reject_existing_contacts`, decisions §3). */
async function refuseExisting(
  context: Service['context'],
  credential: V5Request<object>['credential'],
  data: CreateContactsBody['data'],
): Promise<void> {
  const faults = new Faults();
  await findExisting(context, credential, data, faults);
  if (faults.count > 0) throw new ApiError('contact_exists', { faults: faults.list });
}

async function accept<O extends 'contact.create' | 'contact.update' | 'contact.delete'>(
  service: Service,
  request: V5Request<object>,
  operation: O,
  payload: Payloads[O],
): Promise<object> {
  return acceptedAnswer(await acceptRequest(service, request, operation, payload, payload.contacts.length));
}
