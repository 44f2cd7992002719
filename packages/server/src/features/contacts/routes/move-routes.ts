import { ContactTypeAnswer } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { awaitResult } from '#pipeline/accept/await-result.ts';
import { findContactType } from './contact-type-store.ts';
import { contactNotFound } from '../model/contact-not-found.ts';

/** The operations by which operators block and unblock contacts. */
export function contactMoveRoutes(app: FastifyInstance, service: Service): void {
  serve(app, 'blockContact', {
    handle: (request) => moveContact(service, request, 'block'),
  });
  serve(app, 'unblockContact', {
    handle: (request) => moveContact(service, request, 'unblock'),
  });
}

/** The parts of an HTTP request that a move uses. */
interface MoveRequest {
  readonly params: { readonly account_id: number; readonly contact_id: number };
  readonly requestId: string;
  readonly actor: Pick<Actor, 'author'>;
  readonly disconnectSignal: () => AbortSignal;
}

/**
 * Moves a contact through the pipeline, in order with other requests, and returns its new type.
 * Throws `not_found` and `pipeline_busy`.
 */
async function moveContact(
  { context, acceptor }: Service,
  { params: { account_id: accountId, contact_id: contactId }, requestId, actor, disconnectSignal }: MoveRequest,
  cause: 'block' | 'unblock',
): Promise<ContactTypeAnswer> {
  await requireAccount(context.db, accountId);
  const payload = { contact_id: contactId };
  const acceptance = { accountId, requestId, operation: `contact.${cause}`, payload, total: 1 } as const;
  await acceptor.acceptWith(acceptance, (trx) =>
    writeAudit(trx, context, {
      accountId,
      actor: actor.author,
      action: `contact.${cause}`,
      subject: `contact:${contactId}`,
      details: { request_id: requestId },
    }),
  );
  const { failures } = await awaitResult(context, { accountId, requestId }, { signal: disconnectSignal() });
  const type = failures.length > 0 ? undefined : await findContactType(context.db, accountId, contactId);
  if (type === undefined) throw contactNotFound(accountId, contactId);
  return { contact_id: contactId, contact_type: type };
}
