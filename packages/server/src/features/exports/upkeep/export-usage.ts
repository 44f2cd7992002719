import type { UseOfAudiences } from '#features/audiences/audience-uses.ts';
import { scheduleLimits } from '@roster/contract';
import type { UseOfAttributes } from '#features/attributes/usage/attribute-uses.ts';
import { derivedFields } from '#features/registry/derived/derived-fields.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { filterUsage, type StoredFilter } from '#features/search/filter/stored-filter.ts';
import { exportRuns, type ExportRow } from '../store/export-store.ts';
import { listSchedules } from '../store/schedule-store.ts';

/**
 * Lists the unfinished exports of an account that export attributes or filter by them, the oldest
 * first, and then the schedules.
 */
export async function exportsUsingAttributes(db: Database, accountId: number): Promise<UseOfAttributes[]> {
  const rows = await exportRuns.listWithJob(db, accountId);
  const schedules = await listSchedules(db, accountId, undefined, scheduleLimits.perAccount);
  return [
    ...rows.map((row) => ({ feature: 'export' as const, id: row.request_id, name: nameOf(row), ...usedBy(row) })),
    ...schedules.map((row) => ({
      feature: 'export_schedule' as const,
      id: row.schedule_id,
      name: row.name,
      ...usedBy(row),
    })),
  ].filter(({ attributeIds, derived }) => derived || attributeIds.length > 0);
}

function nameOf({ audience_type: type, audience_id: id }: ExportRow): string {
  return type === null ? 'filter' : `${type} ${id}`;
}

function usedBy({
  columns,
  filter,
}: Pick<ExportRow, 'columns' | 'filter'>): Required<Pick<UseOfAttributes, 'attributeIds' | 'derived'>> {
  const inColumns = columns.flatMap(({ attribute_id }) => attribute_id ?? []);
  const used = filter === null ? undefined : filterUsage(filter as StoredFilter);
  return {
    attributeIds: [...new Set([...inColumns, ...(used?.attributeIds ?? [])])],
    derived: used?.derived === true || columns.some(({ field }) => derivedFields.has(field ?? '')),
  };
}

/**
 * Lists the unfinished exports of an account with their audiences, the oldest first, and then the
 * schedules. An audience of a schedule cannot be deleted, because all later runs would fail.
 */
export async function exportsUsingAudiences(db: Database, accountId: number): Promise<UseOfAudiences[]> {
  const rows = await exportRuns.listWithJob(db, accountId);
  const schedules = await listSchedules(db, accountId, undefined, scheduleLimits.perAccount);
  return [
    ...rows.map((row) => ({
      feature: 'export' as const,
      id: row.request_id,
      name: row.accepted_at.toISOString(),
      prevents_deletion: false,
      audienceIds: audiencesIn(row),
    })),
    ...schedules.map((row) => ({
      feature: 'export_schedule' as const,
      id: row.schedule_id,
      name: row.name,
      prevents_deletion: true,
      audienceIds: audiencesIn(row),
    })),
  ];
}

function audiencesIn({ audience_id: id, filter }: Pick<ExportRow, 'audience_id' | 'filter'>): readonly number[] {
  if (filter === null) return id === null ? [] : [id];
  const { listIds, segmentIds } = filterUsage(filter as StoredFilter);
  return [...listIds, ...segmentIds];
}
