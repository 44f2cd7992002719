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

/** What the wizard begins with: the import whose mapping is used again, and the list for the contacts. */
export interface WizardSearch {
  readonly mapping_of?: string;
  readonly list?: number;
}

/** Reads what the wizard begins with. */
export function readWizardSearch({ mapping_of: id, list }: Record<string, unknown>): WizardSearch {
  return {
    ...(typeof id === 'string' && /^[\da-f-]{36}$/i.test(id) ? { mapping_of: id } : {}),
    ...(typeof list === 'number' && Number.isSafeInteger(list) && list > 0 ? { list } : {}),
  };
}
