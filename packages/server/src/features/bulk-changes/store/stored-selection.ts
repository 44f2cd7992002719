import type { StoredChoice } from '#features/search/search.ts';
import type { StoredFilter } from '#features/search/filter/stored-filter.ts';
import type { StoredSelection } from '#platform/database/schema/tables/bulk-changes.ts';

/** Returns the audience and the filter of a stored selection. */
export function choiceOf(selection: StoredSelection): StoredChoice {
  if (selection.by !== 'filter') return {};
  return { audience: selection.audience, filter: selection.filter as StoredFilter | undefined };
}
