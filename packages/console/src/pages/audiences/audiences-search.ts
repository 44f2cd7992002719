import { readPeriod, type PeriodDays } from '#components/charts/period.ts';

/** The state of the page of audiences in its address. */
export interface AudiencesSearch {
  readonly tab?: 'segments';
  /** Only audiences whose name contains this. */
  readonly contains?: string;
  readonly order?: 'updated_at' | 'member_count';
}

/** Reads the address of the page of audiences. */
export function readAudiencesSearch({ tab, contains, order }: Record<string, unknown>): AudiencesSearch {
  return {
    ...(tab === 'segments' && { tab }),
    ...(typeof contains === 'string' && contains !== '' && { contains: contains.slice(0, 255) }),
    ...((order === 'updated_at' || order === 'member_count') && { order }),
  };
}

/** The state of the page of a list or segment in its address. */
export interface AudienceSearch {
  readonly tab?: string;
  /** Ids of the shown columns of the contacts, separated by commas; absent for the default. */
  readonly columns?: string | undefined;
  /** Id of a column of the contacts, with a leading `-` for descending. */
  readonly sort?: string | undefined;
  /** Days of the growth. */
  readonly days?: PeriodDays | undefined;
}

/** Reads the address of the page of a list or segment. */
export function readAudienceSearch({ tab, columns, sort, days }: Record<string, unknown>): AudienceSearch {
  const period = readPeriod(days);
  return {
    ...(typeof tab === 'string' && /^\w+$/.test(tab) && { tab }),
    ...(typeof columns === 'string' && columns !== '' && { columns }),
    ...(typeof sort === 'string' && /^-?[\w.]+$/.test(sort) && { sort }),
    ...(period !== undefined && { days: period }),
  };
}
