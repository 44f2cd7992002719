import { ContactTypeAnswer } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { Service } from '#platform/http/server/service.ts';
import { awaitResult } from '#pipeline/accept/await-result.ts';
import { findContactType } from './contact-type-store.ts';

/** The moves between contact types that operators make (decisions §3, §8). */
export function contactMoveRoutes(app: FastifyInstance, service: Service): void {
  serve(app, 'blockContact', {
    handle: ({ params, requestId }) => moveContact(service, params.account_id, params.contact_id, 'block', requestId),
  });
  serve(app, 'unblockContact', {
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
