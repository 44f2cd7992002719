/** The state of the page of users in its address. */
export interface UsersSearch {
  /** Only users whose name or address contains this. */
  readonly contains?: string;
  /** The number of the open user. */
  readonly user?: number;
}

/** Reads the address of the page of users. */
export function readUsersSearch({ contains, user }: Record<string, unknown>): UsersSearch {
  return {
    ...(typeof contains === 'string' && contains !== '' && { contains: contains.slice(0, 255) }),
    ...(typeof user === 'number' && Number.isSafeInteger(user) && user > 0 && { user }),
  };
}
