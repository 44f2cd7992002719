/** The states by which imports can be filtered. */
export const statusFilters = [
  'all',
  'running',
  'completed',
  'failed',
  'cancelled',
  'awaiting_file',
  'fetching',
] as const;

/** A state in the address of the list. */
export type StatusFilter = Exclude<(typeof statusFilters)[number], 'all'>;

/** Reads the filter in the address of the list. */
export function readListSearch(search: Record<string, unknown>): { readonly status?: StatusFilter } {
  const status = statusFilters.find((value): value is StatusFilter => value !== 'all' && value === search['status']);
  return status === undefined ? {} : { status };
}

/** Reads the import whose mapping the wizard uses again. */
export function readWizardSearch(search: Record<string, unknown>): { readonly mapping_of?: string } {
  const id = search['mapping_of'];
  return typeof id === 'string' && /^[\da-f-]{36}$/i.test(id) ? { mapping_of: id } : {};
}
