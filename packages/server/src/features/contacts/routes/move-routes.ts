import { ContactTypeAnswer } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { accountParams } from '#features/accounts/account-routes.ts';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import { serveAdmin } from '#platform/http/operations/admin.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { Service } from '#platform/http/server/service.ts';
import { awaitResult } from '#pipeline/accept/await-result.ts';
import { findContactType } from './contact-type-store.ts';

/** Path parameters of the operations on one contact. */
export const contactParams = Type.Object({
  ...accountParams.properties,
  contact_id: Type.Integer({ minimum: 1, description: 'Identifier of the contact.' }),
});

/** The moves between contact types that operators make (decisions §3, §8). */
export function contactMoveRoutes(app: FastifyInstance, service: Service): void {
  serveAdmin(app, {
    method: 'POST',
    path: '/accounts/:account_id/contacts/:contact_id/block',
    operationId: 'blockContact',
    tag: 'Lifecycle',
    summary: 'Block a contact',
    description:
      'Makes the contact `blacklisted`, after every request that was accepted before. Its opt-outs stay as they are.',
    params: contactParams,
    answer: ContactTypeAnswer,
    errors: ['pipeline_busy'],
    handle: ({ params, requestId }) => moveContact(service, params.account_id, params.contact_id, 'block', requestId),
  });
  serveAdmin(app, {
    method: 'POST',
    path: '/accounts/:account_id/contacts/:contact_id/unblock',
    operationId: 'unblockContact',
    tag: 'Lifecycle',
    summary: 'Unblock a contact',
    description:
      'Gives a `blacklisted` contact the type back that it had before. Opt-outs stay: they are the wish of the contact, which it can take back by an opt-in.',
    params: contactParams,
    answer: ContactTypeAnswer,
    errors: ['pipeline_busy'],
    handle: ({ params, requestId }) => moveContact(service, params.account_id, params.contact_id, 'unblock', requestId),
  });
}

/** Moves a contact in its turn and answers its type then. Throws `not_found` and `pipeline_busy`. */
async function moveContact(
  { context, acceptor }: Service,
  accountId: number,
  contactId: number,
  cause: 'block' | 'unblock',
  requestId: string,
): Promise<ContactTypeAnswer> {
  await requireAccount(context.db, accountId);
  const payload = { contact_id: contactId };
  const acceptance = { accountId, requestId, operation: `contact.${cause}`, payload, total: 1 } as const;
  await acceptor.acceptWith(acceptance, (trx) =>
    writeAudit(trx, context, {
      accountId,
      actor: 'operator',
      action: `contact.${cause}`,
      subject: `contact:${contactId}`,
      details: { request_id: requestId },
    }),
  );
  const { failures } = await awaitResult(context, accountId, requestId);
  const type = failures.length > 0 ? undefined : await findContactType(context.db, accountId, contactId);
  if (type === undefined) {
    throw new ApiError('not_found', { params: { what: `contact ${contactId} in account ${accountId}` } });
  }
  return { contact_id: contactId, contact_type: type };
}
