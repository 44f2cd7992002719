import type { DerivedAttributes } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import {
  findSummaryState,
  requestRebuild,
  type SummaryStateRow,
} from '#features/accounts/store/summary-state-store.ts';
import { loadUsageScope, usesOfDerived } from '#features/attributes/usage/usage.ts';
import { derivedFields } from '#features/registry/derived/derived-fields.ts';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import { conflict } from '#platform/errors/api-error.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';

const reason =
  'The account has no derived attributes. Switch on its setting derived_attributes, which also computes them.';

/** Adds the operations on the derived attributes of an account. */
export function derivedRoutes(app: FastifyInstance, { context }: Service): void {
  const { db, now } = context;

  serve(app, 'getDerivedAttributes', {
    async handle({ params: { account_id: accountId } }) {
      const account = await requireAccount(db, accountId);
      const uses = usesOfDerived(await loadUsageScope(context, db, account, []));
      return viewOf(await findSummaryState(db, accountId), uses);
    },
  });

  serve(app, 'rebuildDerivedAttributes', {
    handle: async ({ params: { account_id: accountId }, actor }) =>
      db.transaction().execute(async (trx) => {
        const account = await requireAccount(trx, accountId);
        if (!(await requestRebuild(trx, accountId, now()))) throw conflict(reason);
        await writeAudit(trx, context, {
          accountId,
          actor: actor.author,
          action: 'derived_attributes.rebuild',
          subject: `account:${accountId}`,
          details: {},
        });
        const uses = usesOfDerived(await loadUsageScope(context, trx, account, []));
        return viewOf(await findSummaryState(trx, accountId), uses);
      }),
  });
}

function viewOf(row: SummaryStateRow | undefined, uses: DerivedAttributes['uses']): DerivedAttributes {
  return {
    state: stateOf(row),
    progress: row?.wanted === true && row.position !== null ? progressOf(row) : null,
    requested_at: row?.requested_at.toISOString() ?? null,
    attributes: Array.from(derivedFields.values(), ({ name, type, doc }) => ({
      name,
      data_type: type,
      description: doc,
    })),
    uses,
  };
}

function stateOf(row: SummaryStateRow | undefined): DerivedAttributes['state'] {
  if (row === undefined) return 'off';
  if (!row.wanted) return 'removing';
  if (!row.usable) return 'building';
  return row.position === null ? 'ready' : 'rebuilding';
}

/** Activities that arrive meanwhile are read too, so more can be done than there were. */
function progressOf({ done, total }: SummaryStateRow): DerivedAttributes['progress'] {
  return { done, total: Math.max(done, total) };
}
