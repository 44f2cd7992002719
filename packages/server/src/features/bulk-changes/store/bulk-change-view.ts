import { bulkChangeFailures, type BulkAction, type BulkChange, type BulkChangeFailure } from '@roster/contract';
import { hidden } from '#features/registry/masking.ts';
import type { Registry } from '#features/registry/registry.ts';
import { shownFilter, type StoredFilter } from '#features/search/filter/stored-filter.ts';
import type { FilterRights } from '#features/search/rights/filter-rights.ts';
import type { Context } from '#platform/context.ts';
import type { StoredAction, StoredSelection } from '#platform/database/schema/tables/bulk-changes.ts';
import type { BulkChangeFailureRow, BulkChangeRow } from './bulk-change-store.ts';
import { choiceOf } from './stored-selection.ts';

/** What {@link bulkChangeView} needs besides the row. */
interface BulkChangeViewer {
  readonly registry: Registry;
  /** What the caller may see. */
  readonly rights: FilterRights;
}

/** Returns a bulk change as the operator API shows it, with the present names of attributes. */
export function bulkChangeView(
  row: BulkChangeRow,
  viewer: BulkChangeViewer,
  { now }: Pick<Context, 'now'>,
): BulkChange {
  const { changed, unchanged, failed, warnings, failure_code: code } = row;
  return {
    bulk_change_id: row.bulk_change_id,
    status: row.status,
    author: row.author,
    action: actionView(row.action, viewer),
    selection: selectionView(row.selection, viewer),
    expected_count: row.expected_count,
    progress: progressOf(row, now()),
    counts: { changed, unchanged, failed, warnings },
    failure: code === null ? null : { code, message: bulkChangeFailures[code] },
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

/** Returns a failure of one contact as the operator API shows it. */
export function bulkChangeFailureView(row: BulkChangeFailureRow): BulkChangeFailure {
  const { contact_id, code, field, message, warning } = row;
  return { contact_id, code, field, message, warning };
}

function actionView(action: StoredAction, { registry, rights: { unmasked } }: BulkChangeViewer): BulkAction {
  switch (action.type) {
    case 'set_attribute': {
      // A deleted attribute has no name anymore.
      const attribute = registry.byId(action.attribute_id);
      // The value of a masked attribute, together with the contacts, tells what the mask hides.
      const isHidden =
        !unmasked && action.value !== null && attribute !== undefined && attribute.dataMasking !== 'none';
      return {
        type: action.type,
        attribute: attribute?.name ?? `#${action.attribute_id}`,
        value: isHidden ? hidden : action.value,
      };
    }
    case 'opt_out':
    case 'opt_in':
      return { type: action.type, channels: [...action.channels] };
    default:
      return { ...action };
  }
}

function selectionView(selection: StoredSelection, viewer: BulkChangeViewer): BulkChange['selection'] {
  const { audience, filter } = choiceOf(selection);
  return {
    by: selection.by,
    ...(audience !== undefined && { audience_type: audience.audience_type, audience_id: [...audience.audience_id] }),
    ...(filter !== undefined && filterView(filter, viewer)),
  };
}

function filterView(stored: StoredFilter, { registry, rights }: BulkChangeViewer) {
  const { filtering_criteria_operator = 'and', filtering_criteria = [] } = shownFilter(stored, registry, rights);
  return { filtering_criteria_operator, filtering_criteria };
}

/** The columns that {@link progressOf} needs. */
export const progressColumns = [
  'status',
  'total',
  'changed',
  'unchanged',
  'failed',
  'run_started_at',
  'run_started_done',
  'started_at',
  'finished_at',
] as const;

/** Returns the progress of a bulk change, its speed, and the time that is left at this speed. */
export function progressOf(
  row: Pick<BulkChangeRow, (typeof progressColumns)[number]>,
  now: Date,
): BulkChange['progress'] {
  const { total, run_started_at: from, run_started_done: doneBefore } = row;
  const done = row.changed + row.unchanged + row.failed;
  if (row.status === 'completed') {
    const seconds = (row.finished_at!.getTime() - (row.started_at ?? row.finished_at!).getTime()) / 1000;
    const rate = seconds > 0 ? Math.round(done / seconds) : null;
    return { total, done, percent: 100, contacts_per_second: rate, seconds_left: 0 };
  }
  const percent = total === null || total === 0 ? 0 : Math.min(99, Math.floor((done / total) * 100));
  const seconds = from === null ? 0 : (now.getTime() - from.getTime()) / 1000;
  const rate = (done - doneBefore) / seconds;
  if (row.status !== 'running' || total === null || seconds <= 0 || rate <= 0) {
    return { total, done, percent, contacts_per_second: null, seconds_left: null };
  }
  const left = Math.ceil((total - done) / rate);
  return { total, done, percent, contacts_per_second: Math.round(rate), seconds_left: left };
}
