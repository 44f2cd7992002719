import type { CreateExportBody, Export } from '@roster/client';

/** The states of an export that the list can be limited to. */
export const exportStatuses = ['accepted', 'running', 'completed', 'failed', 'cancelled', 'expired'] as const;

/** Reads the address of the list of exports. */
export function readExportSearch(search: Record<string, unknown>): { status?: Export['status'] } {
  const status = exportStatuses.find((one) => one === search['status']);
  return status === undefined ? {} : { status };
}

/** The contacts and the file of a new export, as its address has them. */
export interface NewExportSearch {
  readonly audience_type?: 'list' | 'segment';
  readonly audience_id?: number;
  /** A filter of contact search. */
  readonly filter?: NonNullable<CreateExportBody['filter']>;
  readonly attributes?: readonly string[];
  readonly blocklist_type?: 'email' | 'mobile';
}

/** Reads the address of the page for a new export. The contacts page links to it with a filter. */
export function readNewExportSearch(search: Record<string, unknown>): NewExportSearch {
  const { audience_type: type, audience_id: id, filter, attributes, blocklist_type: blocklist } = search;
  return {
    ...(type === 'list' || type === 'segment' ? { audience_type: type } : {}),
    ...(typeof id === 'number' && Number.isSafeInteger(id) ? { audience_id: id } : {}),
    ...(typeof filter === 'object' && filter !== null ? { filter } : {}),
    ...(Array.isArray(attributes) && attributes.every((name) => typeof name === 'string') ? { attributes } : {}),
    ...(blocklist === 'email' || blocklist === 'mobile' ? { blocklist_type: blocklist } : {}),
  };
}

/** The schedule that is open, or `new`, which can begin with the contacts and columns of an export. */
export interface ScheduleSearch extends NewExportSearch {
  readonly schedule?: string;
  readonly view?: 'edit' | 'runs';
}

/** Reads the address of the page of schedules. The page of an export links to it. */
export function readScheduleSearch(search: Record<string, unknown>): ScheduleSearch {
  const { schedule, view } = search;
  return {
    ...(typeof schedule === 'string' && /^(?:new|[0-9a-f-]{36})$/.test(schedule) ? { schedule } : {}),
    ...(view === 'edit' || view === 'runs' ? { view } : {}),
    ...(schedule === 'new' ? readNewExportSearch(search) : {}),
  };
}
