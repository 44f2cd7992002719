import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { putMembership } from '../store/membership-store.ts';

/** Makes the person who creates an account its owner. The operator token makes nobody an owner. */
export async function addCreatorAsOwner(
  trx: Database,
  context: Pick<Context, 'now'>,
  accountId: number,
  { author, person }: Actor,
): Promise<void> {
  if (person === undefined) return;
  const rights = { role: 'owner', unmasked: false } as const;
  await putMembership(trx, accountId, person.userId, rights, context.now());
  await writeAudit(trx, context, {
    accountId,
    actor: author,
    action: 'member.add',
    subject: `user:${person.userId}`,
    details: rights,
  });
}
