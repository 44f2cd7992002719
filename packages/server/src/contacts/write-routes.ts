import { CreateContactsBody, DeleteContactsBody, Faults, UpdateContactsBody } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { ApiError, invalidRequest } from '../http/api-error.ts';
import type { Service } from '../http/service.ts';
import { serveV5, type V5Request } from '../http/v5.ts';
import { bodyHash, requireSameBody, type Idempotency } from '../requests/accept.ts';
import { findIdempotencyKey } from '../requests/accept-store.ts';
import type { Operation, Payloads } from '../requests/payload.ts';
import { anyContactExists } from './existing.ts';
import { createExamples, deleteExamples, updateExamples } from './examples.ts';
import { finderOf, type Identifiers } from './update.ts';

const tag = 'Contacts';

/** The operations that change contacts; each is accepted here and applied by the pipeline (decisions §3). */
export function contactWriteRoutes(app: FastifyInstance, service: Service): void {
  serveV5(app, {
    path: '/contact/create',
    operationId: 'createContacts',
    tag,
    summary: 'Create contacts',
    description:
      'Accepts 1 to 1000 contacts. One whose identity exists is merged: given fields replace, `attributes` merge key by key, lists are added, null clears. Each anonymous entry is a new contact. Repeating an identity within the request merges in order.',
    scope: 'contacts:write',
    body: CreateContactsBody,
    examples: createExamples,
    errors: ['contact_exists', 'idempotency_conflict'],
    async handle(request) {
      checkIdentities(request.body.data);
      const reject = request.credential.settings.reject_existing_contacts === true;
      const payload = { ...request.body.data, ...(reject ? { reject_existing: true as const } : {}) };
      if (reject) {
        // A repeat is not refused because of the contacts that its first sending created.
        const first = await repeatOf(service, request, 'contact.create');
        if (first !== undefined) return accepted(first);
        if (await anyContactExists(service.context, request.credential, payload)) throw new ApiError('contact_exists');
      }
      return accept(service, request, 'contact.create', payload);
    },
  });
  serveV5(app, {
    path: '/contact/update',
    operationId: 'updateContacts',
    tag,
    summary: 'Update contacts',
    description:
      'Accepts changes of 1 to 1000 contacts. The first of `contact_id`, `identity`, `email`, `mobile` that is present finds the contact, the others are new values; they merge as in create.',
    scope: 'contacts:write',
    body: UpdateContactsBody,
    examples: updateExamples,
    errors: ['idempotency_conflict'],
    async handle(request) {
      checkFinders(request.body.data.contacts);
      return accept(service, request, 'contact.update', request.body.data);
    },
  });
  serveV5(app, {
    path: '/contact/delete',
    operationId: 'deleteContacts',
    tag,
    summary: 'Delete contacts',
    description:
      'Accepts 1 to 1000 contacts to delete, with their memberships and activity. A contact with `audience_details` only leaves those lists.',
    scope: 'contacts:write',
    body: DeleteContactsBody,
    examples: deleteExamples,
    errors: ['idempotency_conflict'],
    async handle(request) {
      checkFinders(request.body.data.contacts);
      return accept(service, request, 'contact.delete', request.body.data);
    },
  });
}

async function accept<O extends 'contact.create' | 'contact.update' | 'contact.delete'>(
  { acceptor, context }: Service,
  request: V5Request<object>,
  operation: O,
  payload: Payloads[O],
): Promise<object> {
  const total = payload.contacts.length;
  const { accountId } = request.credential;
  const idempotency = idempotencyOf(request);
  const id = await acceptor.accept({ accountId, requestId: request.requestId, operation, payload, total, idempotency });
  context.metrics.accepted.inc({ operation }, total);
  return accepted(id);
}

function accepted(requestId: string): object {
  return {
    request_id: requestId,
    code: 200,
    status: 'success',
    description: 'The request was accepted and is processed asynchronously',
  };
}

/** The first request with the same idempotency key and body, or undefined; throws when the body differs. */
async function repeatOf(
  { context }: Service,
  request: V5Request<object>,
  operation: Operation,
): Promise<string | undefined> {
  const idempotency = idempotencyOf(request);
  if (idempotency === undefined) return undefined;
  const { accountId } = request.credential;
  const first = await findIdempotencyKey(context.db, { accountId, operation, acceptedAt: context.now() }, idempotency);
  return first === undefined ? undefined : requireSameBody(first);
}

function idempotencyOf({ idempotencyKey, body }: V5Request<object>): Idempotency | undefined {
  return idempotencyKey === undefined ? undefined : { key: idempotencyKey, bodyHash: bodyHash(body) };
}

function checkIdentities(data: CreateContactsBody['data']): void {
  if (data.contact_type === 'anonymous') return;
  const faults = new Faults();
  for (const [index, contact] of data.contacts.entries()) {
    if (contact.identity === undefined) {
      faults.add('required', 'an identified contact needs an identity', `data.contacts[${index}].identity`);
    }
  }
  if (faults.count > 0) throw invalidRequest(faults.list);
}

function checkFinders(contacts: readonly Identifiers[]): void {
  const faults = new Faults();
  for (const [index, contact] of contacts.entries()) {
    if (finderOf(contact) === undefined) {
      faults.add(
        'required',
        'needs one of contact_id, identity, email, mobile to find the contact',
        `data.contacts[${index}]`,
      );
    }
  }
  if (faults.count > 0) throw invalidRequest(faults.list);
}
