import type { UpdateListBody } from '@roster/contract';
import { requireLockedAccount, unknownAccount } from '#features/accounts/store/require-account.ts';
import { addEvent } from '#features/events/event-store.ts';
import { changedFields, writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { changeTime, requireUnchanged } from '#platform/http/operations/entity-tag.ts';
import { type ApiError, notFound } from '#platform/errors/api-error.ts';
import { requireRoomForAudience, takeAudienceId } from './audience-store.ts';
import { refuseUsedAudience } from './audience-uses.ts';
import { deleteStoredList, findList, insertList, renameStoredList, type ListRow } from './list-store.ts';

/**
 * Creates a list in a transaction of the caller. Throws `not_found` for an unknown account, and
 * `conflict` if the account has too many lists.
 */
export async function addList(
  trx: Database,
  context: Pick<Context, 'now'>,
  accountId: number,
  name: string,
  actor: Author,
): Promise<ListRow> {
  const audienceId = await takeAudienceId(trx, accountId);
  if (audienceId === undefined) throw unknownAccount(accountId);
  await requireRoomForAudience(trx, accountId, 'list');
  const list = await insertList(trx, accountId, audienceId, name, context.now());
  const subject = `list:${audienceId}`;
  await writeAudit(trx, context, { accountId, actor, action: 'list.create', subject, details: { name } });
  return list;
}

/** Creates a list for an operator. Throws the errors of {@link addList}. */
export async function createList(context: Context, accountId: number, name: string, author: Author): Promise<ListRow> {
  return context.db.transaction().execute((trx) => addList(trx, context, accountId, name, author));
}

/** Loads a list. Throws `not_found` when it does not exist, or is a segment. */
export async function requireList(db: Database, accountId: number, audienceId: number): Promise<ListRow> {
  const list = await findList(db, accountId, audienceId);
  if (list === undefined) throw unknownList(accountId, audienceId);
  return list;
}

/** Makes the error for a list that does not exist. */
export function unknownList(accountId: number, audienceId: number): ApiError {
  return notFound(`list ${audienceId} in account ${accountId}`);
}

/** Changes a list. Throws `not_found`. */
export async function changeList(
  context: Context,
  accountId: number,
  audienceId: number,
  body: UpdateListBody,
  author: Author,
  ifMatch?: number,
): Promise<ListRow> {
  return context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, accountId);
    const before = await requireList(trx, accountId, audienceId);
    requireUnchanged(before, ifMatch);
    const name = body.name ?? before.name;
    if (name === before.name) return before;
    const after = await renameStoredList(trx, accountId, audienceId, name, changeTime(before, context.now()));
    await writeAudit(trx, context, {
      accountId,
      actor: author,
      action: 'list.update',
      subject: `list:${audienceId}`,
      details: { changes: changedFields({ name: before.name }, { name }) },
    });
    return after;
  });
}

/**
 * Deletes a list. Its memberships are removed from the contacts in the background.
 * Throws `not_found`, and `conflict` if something that needs the list uses it.
 */
export async function deleteList(context: Context, accountId: number, audienceId: number, actor: Actor): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, accountId);
    const { name, member_count } = await requireList(trx, accountId, audienceId);
    await refuseUsedAudience(context, trx, accountId, 'list', audienceId, actor);
    await deleteStoredList(trx, accountId, audienceId, context.now());
    await writeAudit(trx, context, {
      accountId,
      actor: actor.author,
      action: 'list.delete',
      subject: `list:${audienceId}`,
      details: { name, member_count },
    });
    const event = { kind: 'list.deleted', contactId: null, requestId: null, details: { list_id: audienceId } } as const;
    await addEvent(trx, accountId, event, context.now());
  });
}
