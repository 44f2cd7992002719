import { maxInteger, type ExportSchedule } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { requireVersion, versionTag } from '#platform/http/operations/entity-tag.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import type { Service } from '#platform/http/server/service.ts';
import { filterRightsOf } from '#features/search/rights/filter-rights.ts';
import { runScheduleNow } from '../schedules/run-schedule.ts';
import { scheduleRunView, scheduleView } from '../schedules/schedule-view.ts';
import { addScheduleFaults, createSchedule, removeSchedule, updateSchedule } from '../schedules/schedules.ts';
import { lastRuns, listRuns } from '../store/schedule-run-store.ts';
import { listSchedules, requireSchedule, type ScheduleRow } from '../store/schedule-store.ts';
import { requesterOf } from './requester.ts';

/** Registers the operations on export schedules. */
export function exportScheduleRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'createExportSchedule', {
    checkFaulty: ({ params: { account_id }, body, actor }, faults) =>
      addScheduleFaults(context, account_id, body, requesterOf(actor, account_id), faults),
    async handle({ params: { account_id }, body, actor, setHeader }) {
      const row = await createSchedule(context, account_id, body, requesterOf(actor, account_id));
      setHeader('etag', versionTag(row.version));
      return viewOf(context, row, actor);
    },
  });

  serve(app, 'listExportSchedules', {
    async handle({ params: { account_id: accountId }, query, actor }) {
      await requireAccount(context.db, accountId);
      const page = await newestPageOf(query, {
        load: (before, limit) => listSchedules(context.db, accountId, before, limit),
        idOf: (row) => row.schedule_id,
        view: (row) => row,
        hasLargeRows: true,
      });
      return { ...page, data: await viewsOf(context, accountId, page.data, actor) };
    },
  });

  serve(app, 'getExportSchedule', {
    async handle({ params: { account_id: accountId, schedule_id: scheduleId }, actor, setHeader }) {
      const row = await requireSchedule(context.db, { accountId, scheduleId });
      setHeader('etag', versionTag(row.version));
      return viewOf(context, row, actor);
    },
  });

  serve(app, 'updateExportSchedule', {
    async handle({ params: { account_id: accountId, schedule_id: scheduleId }, body, actor, incoming, setHeader }) {
      const requester = requesterOf(actor, accountId);
      const row = await updateSchedule(context, { accountId, scheduleId }, body, requester, (present) =>
        requireVersion(incoming.headers, present.version, 'The export schedule', () => viewOf(context, present, actor)),
      );
      setHeader('etag', versionTag(row.version));
      return viewOf(context, row, actor);
    },
  });

  serve(app, 'deleteExportSchedule', {
    async handle({ params: { account_id: accountId, schedule_id: scheduleId }, actor }) {
      await removeSchedule(context, { accountId, scheduleId }, requesterOf(actor, accountId));
      return undefined;
    },
  });

  serve(app, 'runExportSchedule', {
    handle: async ({ params: { account_id: accountId, schedule_id: scheduleId }, actor }) =>
      scheduleRunView(await runScheduleNow(context, { accountId, scheduleId }, requesterOf(actor, accountId))),
  });

  serve(app, 'listExportScheduleRuns', {
    async handle({ params: { account_id: accountId, schedule_id: scheduleId }, query }) {
      const key = { accountId, scheduleId };
      await requireSchedule(context.db, key);
      return pageOf(query, {
        bounds: [maxTime],
        load: (after, limit) => listRuns(context.db, key, after === undefined ? undefined : new Date(after[0]!), limit),
        position: (row) => [row.due_at.getTime()],
        view: scheduleRunView,
      });
    },
  });
}

/** Milliseconds since 1970, some centuries from now. */
const maxTime = maxInteger * 10_000;

async function viewOf(context: Context, row: ScheduleRow, actor: Actor): Promise<ExportSchedule> {
  const [view] = await viewsOf(context, row.account_id, [row], actor);
  return view!;
}

async function viewsOf(
  { db }: Context,
  accountId: number,
  rows: readonly ScheduleRow[],
  actor: Actor,
): Promise<ExportSchedule[]> {
  const rights = filterRightsOf(actor, accountId);
  const registry = await loadRegistry(db, accountId);
  const runs = await lastRuns(
    db,
    accountId,
    rows.map((row) => row.schedule_id),
  );
  return rows.map((row) => scheduleView(row, { registry, rights, lastRun: runs.get(row.schedule_id) }));
}
