import type { CreateSavedViewBody, SavedView, UpdateSavedViewBody } from '@roster/contract';
import { stateMasker } from '#features/saved-views/shown-state.ts';
import { listViews, type ViewRow } from '#features/saved-views/store.ts';
import * as views from '#features/saved-views/views.ts';
import type { Context } from '#platform/context.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';

/** Creates a view in account 1 as a person. */
export async function createView(context: Context, actor: Actor, body: CreateSavedViewBody): Promise<SavedView> {
  return shownTo(context, actor, await views.createView(context, 1, body, actor));
}

/** Changes a view of account 1 as a person. */
export async function updateView(
  context: Context,
  actor: Actor,
  viewId: string,
  body: UpdateSavedViewBody,
): Promise<SavedView> {
  const scope = views.scopeOf(actor, 1);
  return shownTo(context, actor, await views.updateView(context, scope, viewId, body, actor, async () => undefined));
}

/** Deletes a view of account 1 as a person. */
export async function removeView(context: Context, actor: Actor, viewId: string): Promise<void> {
  await views.removeView(context, views.scopeOf(actor, 1), viewId, actor);
}

/** Lists the views of account 1 that a person sees. */
export async function listViewsOf(context: Context, actor: Actor): Promise<SavedView[]> {
  const rows = await listViews(context.db, views.scopeOf(actor, 1), { page: undefined, before: undefined }, 100);
  return Promise.all(rows.map((row) => shownTo(context, actor, row)));
}

async function shownTo(context: Context, actor: Actor, row: ViewRow): Promise<SavedView> {
  return views.viewOf(row, await stateMasker(context.db, actor, 1));
}
