import { channels } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { kindNumber } from '#platform/database/values/activity-numbers.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import { readAnywhere } from '#platform/database/replicas/read-anywhere.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { activityStatistics, filterOf, messageView } from './activity-statistics.ts';
import { sumByMessage } from './activity-statistics-store.ts';
import { contactGrowth } from './contact-growth.ts';
import { messageActivityView, readMessageActivities } from './message-activities.ts';
import { checkPeriod, periodOf } from './period.ts';
import { pipelineState } from './pipeline-state.ts';

/** The operations that return numbers about an account. */
export function statisticsRoutes(app: FastifyInstance, { context }: Service): void {
  const { db, now } = context;

  serve(app, 'getContactGrowth', {
    check: async ({ query }, faults) => checkPeriod(query, faults),
    async handle({ params: { account_id: accountId }, query }) {
      const { time_zone: timeZone } = await requireAccount(db, accountId);
      const period = periodOf(query, timeZone, now().getTime());
      return readAnywhere(context, (replica) => contactGrowth({ ...context, db: replica }, accountId, period));
    },
  });

  serve(app, 'getActivityStatistics', {
    check: async ({ query }, faults) => checkPeriod(query, faults),
    async handle({ params, query }) {
      const account = await requireAccount(db, params.account_id);
      return readAnywhere(context, (replica) => activityStatistics({ ...context, db: replica }, account, query));
    },
  });

  serve(app, 'listMessageStatistics', {
    check: async ({ query }, faults) => checkPeriod(query, faults),
    async handle({ params, query }) {
      const { filter } = filterOf(await requireAccount(db, params.account_id), query, now().getTime());
      return pageOf(query, {
        bounds: [Number.MAX_SAFE_INTEGER],
        load: (after, limit) => readAnywhere(context, (replica) => sumByMessage(replica, filter, after?.[0], limit)),
        position: (row) => [row.message_id],
        view: messageView,
      });
    },
  });

  serve(app, 'listMessageActivities', {
    check: async ({ query }, faults) => checkPeriod(query, faults),
    async handle({ params: { account_id: accountId, message_id: messageId }, query, actor }) {
      const account = await requireAccount(db, accountId);
      const { filter, period } = filterOf(account, query, now().getTime());
      const registry = await loadRegistry(db, accountId);
      const masking = actor.can('unmasked', accountId)
        ? 'none'
        : (registry.find(registry.primaryKey)?.dataMasking ?? 'none');
      const { activity } = query;
      return pageOf(query, {
        bounds: [8.64e15, Number.MAX_SAFE_INTEGER, channels.length],
        load: (after, limit) =>
          readAnywhere(context, (replica) =>
            readMessageActivities(
              replica,
              { ...filter, messageId, activity: kindNumber(activity) },
              period.timeZone,
              after && { at: after[0]!, contactId: after[1]!, channel: after[2]! },
              limit,
            ),
          ),
        position: (row) => [row.occurred_at.getTime(), row.contact_id, row.channel],
        view: (row) => messageActivityView(row, activity, masking),
      });
    },
  });

  serve(app, 'getPipelineState', {
    async handle({ params: { account_id: accountId }, query, actor }) {
      await requireAccount(db, accountId);
      const since = query.failed_since === undefined ? undefined : new Date(query.failed_since);
      return pipelineState(context, accountId, since, (permission) => actor.can(permission, accountId));
    },
  });
}
