/** The key of the members of an account in the cache. */
export const membersKey = (accountId: number): readonly unknown[] => ['accounts', accountId, 'members'];

/** The key of the invitations to an account in the cache. */
export const invitationsKey = (accountId: number): readonly unknown[] => ['accounts', accountId, 'invitations'];
