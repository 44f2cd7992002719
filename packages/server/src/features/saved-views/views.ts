import { viewLimits, type CreateSavedViewBody, type SavedView, type UpdateSavedViewBody } from '@roster/contract';
import { requireLockedAccount } from '#features/accounts/store/require-account.ts';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { invalidField, notFound, conflict } from '#platform/errors/api-error.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { requirePermission } from '#platform/http/authentication/require-actor.ts';
import { given } from '#platform/given.ts';
import { changeView, countViews, deleteView, insertView, lockView, type ViewRow, type ViewScope } from './store.ts';

/** Returns a view as the operator API shows it. `shown` makes its state as the caller sees it. */
export function viewOf(row: ViewRow, shown: (state: SavedView['state']) => SavedView['state']): SavedView {
  return {
    view_id: row.view_id,
    name: row.name,
    page: row.page,
    state: shown(row.state),
    shared: row.user_id === null,
    author: row.author,
    version: row.version,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Returns which views a caller can see in an account. */
export function scopeOf({ person }: Actor, accountId: number): ViewScope {
  return { accountId, userId: person?.userId };
}

/**
 * Saves a view. Throws `not_found`, `missing_permission`, `invalid_request` and `conflict` when
 * there are too many views.
 */
export async function createView(
  context: Context,
  accountId: number,
  { name, page, state, shared = false }: CreateSavedViewBody,
  actor: Actor,
): Promise<ViewRow> {
  const owner = ownerOf(actor, accountId, shared);
  return context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, accountId);
    await requireUnderLimit(trx, accountId, owner);
    const now = context.now();
    const row = await insertView(trx, {
      account_id: accountId,
      view_id: context.newId(),
      user_id: owner,
      name,
      page,
      state: stateText(state),
      author: actor.author,
      created_at: now,
      updated_at: now,
    });
    await audit(trx, context, row, actor, 'create');
    return row;
  });
}

/**
 * Changes a view. `allowed` decides by the present row whether the change may be made, and throws
 * if not. Throws the errors of {@link createView}.
 */
export async function updateView(
  context: Context,
  scope: ViewScope,
  viewId: string,
  { name, state, shared }: UpdateSavedViewBody,
  actor: Actor,
  allowed: (row: ViewRow) => Promise<void>,
): Promise<ViewRow> {
  const { accountId } = scope;
  return context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, accountId);
    const before = await requireChangeableView(trx, scope, viewId, actor);
    await allowed(before);
    const wasShared = before.user_id === null;
    const owner = shared === undefined || shared === wasShared ? before.user_id : ownerOf(actor, accountId, shared);
    if (owner !== before.user_id) await requireUnderLimit(trx, accountId, owner);
    const row = await changeView(trx, accountId, viewId, {
      ...given({ name, state: state && stateText(state) }),
      user_id: owner,
      version: before.version + 1,
      updated_at: context.now(),
    });
    await audit(trx, context, wasShared ? before : row, actor, 'update');
    return row;
  });
}

/** Deletes a view. Throws `not_found` and `missing_permission`. */
export async function removeView(context: Context, scope: ViewScope, viewId: string, actor: Actor): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, scope.accountId);
    const row = await requireChangeableView(trx, scope, viewId, actor);
    await deleteView(trx, scope.accountId, viewId);
    await audit(trx, context, row, actor, 'delete');
  });
}

/** Finds a view that the caller can see. A shared view needs the permission to change it. */
async function requireChangeableView(trx: Database, scope: ViewScope, viewId: string, actor: Actor): Promise<ViewRow> {
  const row = await lockView(trx, scope, viewId);
  if (row === undefined) {
    throw notFound(`saved view ${viewId} in account ${scope.accountId}`);
  }
  if (row.user_id === null) requirePermission(actor, 'segments:write', scope.accountId);
  return row;
}

/** Returns the owner of a view: null for a shared one. */
function ownerOf(actor: Actor, accountId: number, shared: boolean): number | null {
  if (shared) {
    requirePermission(actor, 'segments:write', accountId);
    return null;
  }
  if (actor.person !== undefined) return actor.person.userId;
  throw invalidField('not_allowed', 'shared', 'must be true, because only people have views of their own');
}

async function requireUnderLimit(trx: Database, accountId: number, owner: number | null): Promise<void> {
  if ((await countViews(trx, accountId, owner)) < viewLimits.perOwner) return;
  const what = owner === null ? 'The account has' : 'You have';
  throw conflict(`${what} ${viewLimits.perOwner} saved views, which is the maximum. Delete one of them.`);
}

function stateText(state: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(state);
  if (Buffer.byteLength(text) <= viewLimits.stateBytes) return text;
  throw invalidField('too_long', 'state', `must have at most ${viewLimits.stateBytes} bytes of JSON`);
}

/** Only changes of shared views concern others. */
async function audit(
  trx: Database,
  context: Context,
  { account_id: accountId, view_id: id, user_id: owner, name, page }: ViewRow,
  { author }: Actor,
  verb: 'create' | 'update' | 'delete',
): Promise<void> {
  if (owner !== null) return;
  const subject = `saved_view:${id}`;
  const details = { name, page };
  await writeAudit(trx, context, { accountId, actor: author, action: `saved_view.${verb}`, subject, details });
}
