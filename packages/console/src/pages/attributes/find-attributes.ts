import type { OperatorAttribute } from '@roster/client';
import { readSort, type AttributesSearch } from './attributes-search.ts';

/** Returns the attributes that match, in the wanted order. */
export function findAttributes(
  all: readonly OperatorAttribute[],
  { find, group, sort }: AttributesSearch,
): OperatorAttribute[] {
  const wanted = find?.trim().toLowerCase() ?? '';
  const found = all.filter(
    ({ name, system }) =>
      (group === undefined || system === (group === 'standard')) && name.toLowerCase().includes(wanted),
  );
  const state = readSort(sort);
  if (state === undefined) return found;
  const sign = state.descending ? -1 : 1;
  return found.toSorted((a, b) => sign * compare(a, b, state.column) || a.id - b.id);
}

function compare(a: OperatorAttribute, b: OperatorAttribute, column: string): number {
  switch (column) {
    case 'filled':
      return a.filled - b.filled;
    case 'type':
      return a.data_type.localeCompare(b.data_type);
    default:
      return a.name.localeCompare(b.name);
  }
}
