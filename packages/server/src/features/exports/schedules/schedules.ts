import {
  exportLimits,
  Faults,
  scheduleLimits,
  type CreateExportScheduleBody,
  type PartlyRead,
  type UpdateExportScheduleBody,
} from '@roster/contract';
import { sql } from 'kysely';
import { requireAccount, requireLockedAccount } from '#features/accounts/store/require-account.ts';
import { haveDerived } from '#features/registry/derived/derived-fields.ts';
import { hasMaskedConditions, type StoredFilter } from '#features/search/filter/stored-filter.ts';
import { requireFilterRoom, type StoredFilters } from '#features/search/filter-room.ts';
import { changedFields, writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { faultsError, conflict } from '#platform/errors/api-error.ts';
import { millisecondsPerDay } from '#platform/time/intervals.ts';
import { given } from '#platform/given.ts';
import { jsonText } from '#platform/database/values/json-text.ts';
import { requestedColumns } from '../run/export-columns.ts';
import { checkNotifyEmail } from '../request/check-export.ts';
import {
  checkCallback,
  checkOperatorExport,
  checkSource,
  checkUnmasked,
  exportScope,
  type ExportScope,
} from '../request/check-operator-export.ts';
import type { Requester } from '../request/create-export.ts';
import { expireFiles } from '../store/schedule-run-store.ts';
import {
  changeSchedule,
  countSchedules,
  deleteSchedule,
  insertSchedule,
  requireLockedSchedule,
  type ScheduleKey,
  type ScheduleRow,
} from '../store/schedule-store.ts';
import { checkPlace, sourceOf } from './check-schedule.ts';
import { checkTiming, dueAfter } from './timing.ts';

const defaultFiles = 7;

/** Creates a schedule. Throws `invalid_request` with all faults, `not_found` and `conflict`. */
export async function createSchedule(
  context: Context,
  accountId: number,
  body: CreateExportScheduleBody,
  requester: Requester,
): Promise<ScheduleRow> {
  return context.db.transaction().execute(async (trx) => {
    const account = await requireLockedAccount(trx, accountId);
    const faults = new Faults();
    const scope = await exportScope(trx, accountId, requester.rights);
    const { checked, place } = await checkNew(trx, context, scope, body, faults);
    if (faults.count > 0) throw faultsError(faults);
    if ((await countSchedules(trx, accountId)) >= scheduleLimits.perAccount) {
      throw conflict(`The account has ${scheduleLimits.perAccount} export schedules, which is the maximum.`);
    }
    const now = context.now();
    const { callback, columns, filter, ...rest } = checked;
    const row = await insertSchedule(trx, {
      ...rest,
      account_id: accountId,
      schedule_id: context.newId(),
      name: body.name,
      columns: JSON.stringify(columns),
      filter: jsonText(filter),
      callback: jsonText(callback),
      unmasked: body.unmasked === true,
      timing: JSON.stringify(body.timing),
      time_zone: account.time_zone,
      place: jsonText(place?.place ?? null),
      place_secret: place?.secret ?? null,
      keep_files: body.keep_files ?? defaultFiles,
      paused: body.paused === true,
      disabled_at: null,
      next_run_at: body.paused === true ? null : dueAfter(body.timing, account.time_zone, now),
      author: requester.author,
      created_at: now,
      updated_at: now,
    });
    await requireFilterRoom(trx, filtersOf(accountId));
    await audit(trx, context, row, requester, 'create', { name: row.name });
    return row;
  });
}

/** Adds the faults that depend on the account to a request that already has faults. */
export async function addScheduleFaults(
  context: Context,
  accountId: number,
  body: PartlyRead<CreateExportScheduleBody>,
  { rights }: Requester,
  faults: Faults,
): Promise<void> {
  await requireAccount(context.db, accountId);
  await checkNew(context.db, context, await exportScope(context.db, accountId, rights), body, faults);
}

async function checkNew(
  db: Database,
  context: Context,
  scope: ExportScope,
  body: PartlyRead<CreateExportScheduleBody>,
  faults: Faults,
) {
  const checked = await checkOperatorExport(db, context, scope, body, faults);
  if (body.timing !== undefined) checkTiming(body.timing, faults);
  const place = body.place === undefined ? undefined : checkPlace(context, body.place, undefined, faults);
  return { checked, place };
}

/**
 * Changes a schedule and enables it. `allowed` decides by the present row whether the change may be
 * made, and throws if not. Throws `invalid_request` with all faults, and `not_found`.
 */
export async function updateSchedule(
  context: Context,
  key: ScheduleKey,
  body: UpdateExportScheduleBody,
  requester: Requester,
  allowed: (row: ScheduleRow) => Promise<void>,
): Promise<ScheduleRow> {
  const { accountId } = key;
  return context.db.transaction().execute(async (trx) => {
    const account = await requireLockedAccount(trx, accountId);
    const before = await requireLockedSchedule(trx, key);
    await allowed(before);
    const faults = new Faults();
    const scope = await exportScope(trx, accountId, requester.rights);
    const changes = await checkChanges(trx, context, scope, { before, body }, faults);
    if (faults.count > 0) throw faultsError(faults);
    const timing = body.timing ?? before.timing;
    const paused = body.paused ?? before.paused;
    // A change that does not concern the time keeps the next run, even if it is due already.
    const keepsTime = body.timing === undefined && before.time_zone === account.time_zone;
    const next = keepsTime ? before.next_run_at : null;
    const after = await changeSchedule(trx, key, {
      ...changes,
      time_zone: account.time_zone,
      failures: before.disabled_at === null ? before.failures : 0,
      disabled_at: null,
      next_run_at: paused ? null : (next ?? dueAfter(timing, account.time_zone, context.now())),
      version: before.version + 1,
      author: requester.author,
      updated_at: context.now(),
    });
    // A shorter filter always fits, also if there were too many before this limit.
    if (lengthOf(after) > lengthOf(before)) await requireFilterRoom(trx, filtersOf(accountId));
    await audit(trx, context, after, requester, 'update', {
      changes: changedFields(auditedFields(before), auditedFields(after)),
    });
    return after;
  });
}

async function checkChanges(
  trx: Database,
  context: Context,
  scope: ExportScope,
  { before, body }: { readonly before: ScheduleRow; readonly body: UpdateExportScheduleBody },
  faults: Faults,
) {
  const source = sourceOf(body);
  const isNewSource = Object.keys(source).length > 0;
  const found = isNewSource ? await checkSource({ searchDb: trx, now: context.now }, scope, source, faults) : undefined;
  // Without the permissions, a change could send what the schedule exports to somebody else.
  checkUnmasked({ unmasked: body.unmasked ?? before.unmasked }, scope, faults);
  checkKept({
    columns: body.attributes === undefined ? before.columns : [],
    filter: isNewSource ? null : before.filter,
  });
  if (typeof body.notify_email === 'string') checkNotifyEmail(body.notify_email, faults);
  if (body.timing !== undefined) checkTiming(body.timing, faults);
  const place = body.place == null ? undefined : checkPlace(context, body.place, before, faults);

  function checkKept({ columns, filter }: Pick<ScheduleRow, 'columns' | 'filter'>): void {
    const { registry, rights } = scope;
    if (haveDerived(columns) && !rights.activities) {
      faults.add('missing_scope', 'has derived attributes. To keep them, you need activity:read', 'attributes');
    }
    if (filter === null || !hasMaskedConditions(filter as StoredFilter, registry, rights)) return;
    const needed = 'To keep it, you need the permissions unmasked and activity:read';
    faults.add('missing_scope', `has conditions on masked fields or on activities. ${needed}`, 'filter');
  }

  return {
    ...given({
      name: body.name,
      columns: jsonText(
        body.attributes &&
          requestedColumns(body.attributes, scope.registry, faults, {
            place: 'attributes',
            activity: scope.rights.activities,
          }),
      ),
      blocklist_type: body.blocklist_type,
      unmasked: body.unmasked,
      compression: body.compression,
      notify_email: body.notify_email,
      callback: body.callback && jsonText(checkCallback(context, body.callback, faults)),
      timing: jsonText(body.timing),
      keep_files: body.keep_files,
      paused: body.paused,
    }),
    ...(found === undefined
      ? {}
      : { audience_type: found.audience_type, audience_id: found.audience_id, filter: jsonText(found.filter) }),
    ...(body.place === undefined ? {} : { place: jsonText(place?.place ?? null), place_secret: place?.secret ?? null }),
  };
}

function lengthOf({ filter }: ScheduleRow): number {
  return JSON.stringify(filter).length;
}

/** The filters of the schedules of an account. */
const filtersOf = (accountId: number): StoredFilters => ({
  of: 'export schedules',
  query: sql`select filter from export_schedules where account_id = ${accountId}`,
  advice: 'Delete a schedule, or shorten a filter.',
});

/** Deletes a schedule and its history. The files of its exports expire after 7 days. */
export async function removeSchedule(context: Context, key: ScheduleKey, requester: Requester): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, key.accountId);
    const row = await requireLockedSchedule(trx, key);
    await deleteSchedule(trx, key);
    const at = new Date(context.now().getTime() + exportLimits.fileDays * millisecondsPerDay);
    await expireFiles(trx, key, { at, kept: 0 });
    await audit(trx, context, row, requester, 'delete', { name: row.name });
  });
}

async function audit(
  trx: Database,
  context: Context,
  { account_id: accountId, schedule_id: id }: ScheduleRow,
  { author }: Requester,
  verb: 'create' | 'update' | 'delete',
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  const subject = `export_schedule:${id}`;
  await writeAudit(trx, context, { accountId, actor: author, action: `export_schedule.${verb}`, subject, details });
}

/** Returns the fields that an entry of the audit log may show: no secrets and no addresses. */
function auditedFields(row: ScheduleRow) {
  const { name, audience_type, audience_id, blocklist_type, compression, unmasked, timing, keep_files, paused } = row;
  return {
    name,
    audience_type,
    audience_id,
    attributes: row.columns.map((column) => column.name),
    blocklist_type,
    compression,
    unmasked,
    timing,
    keep_files,
    paused,
    place: row.place === null ? null : `s3://${row.place.bucket}/${row.place.prefix}`,
  };
}
