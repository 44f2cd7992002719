import { CreateContactsBody, DeleteContactsBody, Faults, UpdateContactsBody } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '#platform/errors/api-error.ts';
import { ThreadedBody } from '#platform/http/bodies/body-threads.ts';
import { readBody } from '#platform/http/bodies/read-body.ts';
import type { Service } from '#platform/http/server/service.ts';
import { serveV5, type V5Request } from '#platform/http/operations/v5.ts';
import { acceptChecked, acceptedAnswer, acceptRequest } from '#pipeline/accept/accept-request.ts';
import { failuresByOperation } from '#app/worker/failures.ts';
import { findExisting } from './reject-existing.ts';
import { createExamples, deleteExamples, updateExamples } from './examples.ts';
import { checkIdentities } from './check-identities.ts';
import {
  contactShapes,
  prepareContacts,
  type ContactOperation,
  type ContactsTask,
  type PreparedContacts,
} from './prepare-contacts.ts';

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
    ...preparedAs('contact.create'),
    async handle(request) {
      const { payload, total, keys } = request.body;
      if (keys === undefined) return accept(service, request, 'contact.create');
      const check = () => refuseExisting(service.context, request.credential, keys);
      return acceptedAnswer(await acceptChecked(service, request, 'contact.create', payload as never, total, check));
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
    ...preparedAs('contact.update'),
    handle: (request) => accept(service, request, 'contact.update'),
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
    ...preparedAs('contact.delete'),
    handle: (request) => accept(service, request, 'contact.delete'),
  });
}

/** How the bodies of an operation are read: prepared for storage, the large ones in a thread. */
function preparedAs(operation: ContactOperation) {
  const taskOf = ({ credential, headers }: FastifyRequest): ContactsTask => ({
    kind: 'contacts',
    operation,
    primaryKey: credential!.primaryKey,
    rejectsExisting: operation === 'contact.create' && credential!.settings.reject_existing_contacts === true,
    isKeyed: headers['idempotency-key'] !== undefined,
  });
  return {
    bodyTask: taskOf,
    readBody(request: FastifyRequest, faults: Faults): PreparedContacts | undefined {
      if (request.body instanceof ThreadedBody) return request.body.take(faults) as PreparedContacts | undefined;
      const body = readBody(contactShapes[operation], request, faults);
      checkIdentities(body, taskOf(request), faults);
      return faults.count > 0 ? undefined : prepareContacts(body as CreateContactsBody, taskOf(request));
    },
  };
}

/** Refuses a create that names a contact that exists (setting `reject_existing_contacts`, decisions §3). */
async function refuseExisting(
  context: Service['context'],
  credential: V5Request<object>['credential'],
  keys: readonly (string | undefined)[],
): Promise<void> {
  const faults = new Faults();
  await findExisting(context, credential.accountId, keys, faults);
  if (faults.count > 0) throw new ApiError('contact_exists', { faults: faults.list });
}

async function accept(
  service: Service,
  request: V5Request<PreparedContacts>,
  operation: ContactOperation,
): Promise<object> {
  const { payload, total } = request.body;
  return acceptedAnswer(await acceptRequest(service, request, operation, payload as never, total));
}
