/** Limits of the length of a password, in characters. There are no rules for its characters. */
export const passwordLength = { minimum: 10, maximum: 200 } as const;
