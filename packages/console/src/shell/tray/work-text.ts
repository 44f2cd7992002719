import type { RunningWork } from '@roster/client';
import type { TFunction } from 'i18next';

/** Returns the page of the work. */
export function pathOf({ kind, id }: RunningWork): string {
  switch (kind) {
    case 'import':
      return `/imports/${id}`;
    case 'export':
      return `/exports/${id}`;
    case 'erasure':
      return '/privacy/erasures';
    case 'attribute_index':
      return `/attributes/${id}`;
    case 'bulk_change':
      return `/contacts/bulk-changes/${id}`;
  }
}

/** Returns the name of the work, such as `customers.csv`. */
export function titleOf({ kind, title }: RunningWork, t: TFunction<'shell'>): string {
  return kind === 'bulk_change' ? t(`bulkActions.${title as 'delete'}`) : title;
}
