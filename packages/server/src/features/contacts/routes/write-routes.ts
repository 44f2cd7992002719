import type { AcceptedAnswer, CreateContactsBody, Faults } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ThreadedBody } from '#platform/http/bodies/body-threads.ts';
import { readBody } from '#platform/http/bodies/read-body.ts';
import type { Service } from '#platform/http/server/service.ts';
import type { ApiKeyRequest } from '#platform/http/operations/request.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { acceptChecked, acceptedAnswer, acceptRequest } from '#pipeline/accept/accept-request.ts';
import { splitByOf } from '#pipeline/accept/split-by.ts';
import { checkIdentities } from './check-identities.ts';
import {
  contactShapes,
  prepareContacts,
  type ContactOperation,
  type ContactsTask,
  type PreparedContacts,
} from './prepare-contacts.ts';
import { refuseExisting } from './refuse-existing.ts';

/** The operations that change contacts. They accept requests, which the pipeline applies later. */
export function contactWriteRoutes(app: FastifyInstance, service: Service): void {
  serve(app, 'createContacts', {
    ...preparedAs('contact.create'),
    async handle(request) {
      const { payload, total, keys } = request.body;
      // Only an account that refuses existing contacts needs the keys.
      if (keys === undefined) return accept(service, request, 'contact.create');
      const check = () => refuseExisting(service.context, request.credential.accountId, keys);
      return acceptedAnswer(await acceptChecked(service, request, 'contact.create', payload as never, total, check));
    },
  });
  serve(app, 'updateContacts', {
    ...preparedAs('contact.update'),
    handle: (request) => accept(service, request, 'contact.update'),
  });
  serve(app, 'deleteContacts', {
    ...preparedAs('contact.delete'),
    handle: (request) => accept(service, request, 'contact.delete'),
  });
}

/** Returns how the body of an operation is read and prepared. Large bodies are read in a thread. */
function preparedAs(operation: ContactOperation) {
  const taskOf = ({ credential, headers }: FastifyRequest): ContactsTask => ({
    kind: 'contacts',
    operation,
    primaryKey: credential!.primaryKey,
    splitBy: splitByOf(credential!),
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

async function accept(
  service: Service,
  request: ApiKeyRequest<PreparedContacts>,
  operation: ContactOperation,
): Promise<AcceptedAnswer> {
  const { payload, total } = request.body;
  return acceptedAnswer(await acceptRequest(service, request, operation, payload as never, total));
}
