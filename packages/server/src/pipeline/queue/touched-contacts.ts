/** The contacts that a request touched, as `request_results` stores them. */
export interface TouchedContacts {
  readonly first: number | null;
  readonly last: number | null;
  /** As {@link runsOf} returns them. Null when the request touched no contact, or one run. */
  readonly runs: readonly number[] | null;
}

/**
 * Sorts the numbers of contacts and removes repeated ones. New contacts have consecutive numbers,
 * so a request that creates ten thousand contacts stores two numbers.
 */
export function touchedContacts(contactIds: readonly number[]): TouchedContacts {
  if (contactIds.length === 0) return { first: null, last: null, runs: null };
  const runs = runsOf(contactIds);
  const [first, last] = [runs[0]!, Math.abs(runs.at(-1)!)];
  return { first, last, runs: isOneRun(runs) ? null : runs };
}

function isOneRun(runs: readonly number[]): boolean {
  return runs.length === 1 || (runs.length === 2 && runs[1]! < 0);
}

/**
 * Returns numbers of contacts, sorted, without repeated ones. Numbers that follow each other are
 * stored as the first one and the last one with a minus: 3, 7, -9 means 3, 7, 8, 9.
 */
export function runsOf(contactIds: readonly number[]): number[] {
  const sorted = isAscending(contactIds) ? contactIds : [...new Set(contactIds)].sort((a, b) => a - b);
  const runs: number[] = [];
  for (const number of sorted) {
    const end = runs.at(-1);
    if (end === undefined || Math.abs(end) !== number - 1) runs.push(number);
    else if (end < 0) runs[runs.length - 1] = -number;
    else runs.push(-number);
  }
  return runs;
}

/** Returns the numbers that {@link runsOf} has joined. */
export function numbersIn(runs: readonly number[]): number[] {
  const numbers: number[] = [];
  for (const number of runs) {
    if (number > 0) numbers.push(number);
    else for (let next = numbers.at(-1)! + 1; next <= -number; next++) numbers.push(next);
  }
  return numbers;
}

/** True when each number is greater than the one before. */
function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, at) => at === 0 || number > numbers[at - 1]!);
}
