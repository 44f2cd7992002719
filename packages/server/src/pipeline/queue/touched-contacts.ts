/** The contacts that a request touched, as `request_results` stores them. */
export interface TouchedContacts {
  readonly first: number | null;
  readonly last: number | null;
  /** Null when the request touched no contact, or every number from the first to the last. */
  readonly ids: readonly number[] | null;
}

/**
 * Sorts the numbers of contacts and removes repeated ones. New contacts have consecutive numbers,
 * so a request that creates ten thousand contacts stores two numbers.
 */
export function touchedContacts(contactIds: readonly number[]): TouchedContacts {
  if (contactIds.length === 0) return { first: null, last: null, ids: null };
  const sorted = isAscending(contactIds) ? contactIds : [...new Set(contactIds)].sort((a, b) => a - b);
  const [first, last] = [sorted[0]!, sorted.at(-1)!];
  return { first, last, ids: last - first + 1 === sorted.length ? null : sorted };
}

/** True when each number is greater than the one before. */
function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, at) => at === 0 || number > numbers[at - 1]!);
}
