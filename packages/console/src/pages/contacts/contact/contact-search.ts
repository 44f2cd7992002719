/** Which entries of the timeline are shown. */
export const timelineFilters = ['all', 'activity', 'request', 'changes'] as const;

/** One of {@link timelineFilters}. */
export type TimelineFilter = (typeof timelineFilters)[number];

/** The tabs of a contact. Only a narrow window has `details`: elsewhere, they are next to the others. */
export const contactTabs = ['details', 'timeline', 'attributes'] as const;

/** One of {@link contactTabs}. */
export type ContactTab = (typeof contactTabs)[number];

/** The state of the page of a contact that is in its address. Absent fields have their defaults. */
export interface ContactSearch {
  /** Absent: the details in a narrow window, otherwise the timeline. */
  readonly tab?: ContactTab | undefined;
  readonly show?: Exclude<TimelineFilter, 'all'> | undefined;
  readonly find?: string | undefined;
  /** Shows only attributes with a value. */
  readonly filled?: true | undefined;
}

/** Reads the state from the address. Ignores everything else. */
export function readContactSearch(given: Record<string, unknown>): ContactSearch {
  const show = timelineFilters.find((one) => one !== 'all' && one === given['show']);
  const tab = contactTabs.find((one) => one === given['tab']);
  const find = given['find'];
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(show === undefined || show === 'all' ? {} : { show }),
    ...(typeof find === 'string' || typeof find === 'number' ? { find: String(find) } : {}),
    ...(given['filled'] === true ? { filled: true } : {}),
  };
}
