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
}

/** Reads the address of the page of a list or segment. */
export function readAudienceSearch({ tab }: Record<string, unknown>): AudienceSearch {
  return typeof tab === 'string' && /^\w+$/.test(tab) ? { tab } : {};
}
