import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { requireVersion, versionTag } from '#platform/http/operations/entity-tag.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import type { Service } from '#platform/http/server/service.ts';
import { stateMasker } from './shown-state.ts';
import { listViews } from './store.ts';
import { createView, removeView, scopeOf, updateView, viewOf } from './views.ts';

/** Registers the operations on saved views. */
export function savedViewRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'createSavedView', {
    async handle({ params, body, actor, setHeader }) {
      const row = await createView(context, params.account_id, body, actor);
      setHeader('etag', versionTag(row.version));
      return viewOf(row, await stateMasker(context.db, actor, params.account_id));
    },
  });

  serve(app, 'listSavedViews', {
    async handle({ params: { account_id: accountId }, query, actor }) {
      await requireAccount(context.db, accountId);
      const scope = scopeOf(actor, accountId);
      const shown = await stateMasker(context.db, actor, accountId);
      return newestPageOf(query, {
        load: (before, limit) => listViews(context.db, scope, { page: query.page, before }, limit),
        idOf: (row) => row.view_id,
        view: (row) => viewOf(row, shown),
      });
    },
  });

  serve(app, 'updateSavedView', {
    async handle({ params: { account_id: accountId, view_id: viewId }, body, actor, incoming, setHeader }) {
      const scope = scopeOf(actor, accountId);
      const shown = await stateMasker(context.db, actor, accountId);
      const row = await updateView(context, scope, viewId, body, actor, (present) =>
        requireVersion(incoming.headers, present.version, 'The saved view', () => viewOf(present, shown)),
      );
      setHeader('etag', versionTag(row.version));
      return viewOf(row, shown);
    },
  });

  serve(app, 'deleteSavedView', {
    async handle({ params: { account_id: accountId, view_id: viewId }, actor }) {
      await removeView(context, scopeOf(actor, accountId), viewId, actor);
      return undefined;
    },
  });
}
