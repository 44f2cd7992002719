import type { Permission } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { findAccount } from '#features/accounts/store/account-store.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import { cancelRun } from '#platform/long-runs/cancel.ts';
import type { LongRunKey } from '#platform/long-runs/long-runs.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { requirePermission } from '#platform/http/authentication/require-actor.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import type { Service } from '#platform/http/server/service.ts';
import { endWithoutRun } from '../run/end-bulk-change.ts';
import { filterRightsOf } from '#features/search/rights/filter-rights.ts';
import { bulkChangeRuns, listFailures, type BulkChangeRow } from '../store/bulk-change-store.ts';
import { bulkChangeFailureView, bulkChangeView } from '../store/bulk-change-view.ts';
import { checkBulkChange } from './check-bulk-change.ts';
import { createBulkChange } from './create-bulk-change.ts';

// Largest number of a failure within a contact.
const maxOrdinal = 2 ** 31 - 1;

/** Adds the operator routes of bulk changes. */
export function bulkChangeRoutes(app: FastifyInstance, { context }: Service): void {
  const view = async (row: BulkChangeRow, actor: Actor) => {
    const registry = await loadRegistry(context.db, row.account_id);
    return bulkChangeView(row, { registry, rights: filterRightsOf(actor, row.account_id) }, context);
  };

  serve(app, 'createBulkChange', {
    async checkFaulty({ params: { account_id: accountId }, body, actor }, faults) {
      // Without an account, nothing can be checked.
      if ((await findAccount(context.db, accountId)) === undefined) return;
      await checkBulkChange(context, { accountId, rights: filterRightsOf(actor, accountId) }, body, faults);
    },
    async handle({ params: { account_id: accountId }, body, actor, disconnectSignal }) {
      requirePermission(actor, permissionFor(body.action), accountId);
      const rights = filterRightsOf(actor, accountId);
      const caller = { accountId, author: actor.author, rights, signal: disconnectSignal() };
      return view(await createBulkChange(context, caller, body), actor);
    },
  });

  serve(app, 'listBulkChanges', {
    async handle({ params: { account_id }, query, actor }) {
      await requireAccount(context.db, account_id);
      const registry = await loadRegistry(context.db, account_id);
      const viewer = { registry, rights: filterRightsOf(actor, account_id) };
      return newestPageOf(query, {
        load: (before, limit) => bulkChangeRuns.list(context.db, account_id, { status: query.status, before }, limit),
        idOf: (row) => row.bulk_change_id,
        view: (row) => bulkChangeView(row, viewer, context),
        hasLargeRows: true,
      });
    },
  });

  serve(app, 'getBulkChange', {
    handle: async ({ params: { account_id: accountId, bulk_change_id: id }, actor }) =>
      view(await bulkChangeRuns.require(context.db, { accountId, id }), actor),
  });

  serve(app, 'cancelBulkChange', {
    async handle({ params: { account_id: accountId, bulk_change_id: id }, actor }) {
      const key: LongRunKey = { accountId, id };
      const { action } = await bulkChangeRuns.require(context.db, key);
      requirePermission(actor, permissionFor(action), accountId);
      const end = { status: 'cancelled', finished_at: context.now() } as const;
      const row = await cancelRun(context, bulkChangeRuns, key, actor.author, (trx) => endWithoutRun(trx, key, end));
      return view(row, actor);
    },
  });

  serve(app, 'listBulkChangeFailures', {
    async handle({ params: { account_id: accountId, bulk_change_id: id }, query }) {
      const key: LongRunKey = { accountId, id };
      await bulkChangeRuns.require(context.db, key);
      return pageOf(query, {
        bounds: [Number.MAX_SAFE_INTEGER, maxOrdinal],
        load: (after, limit) =>
          listFailures(context.db, key, after && { contactId: after[0]!, ordinal: after[1]! }, limit),
        position: (row) => [row.contact_id, row.ordinal],
        view: bulkChangeFailureView,
      });
    },
  });
}

/** Returns the permission that an action needs. */
function permissionFor({ type }: { readonly type: string }): Permission {
  return type === 'erase' ? 'privacy:write' : 'contacts:write';
}
