import type { Faults } from '@roster/contract';
import { isEmpty } from '#platform/http/parameters/parameters.ts';

/**
 * Reads the value of `data`: an object, or JSON text of one, also as text in text, as some clients
 * write it. Adds a fault when it is neither. The answer has the names of the contract: `fromdate`
 * and `todate` are other names of `from_date` and `to_date`.
 */
export function readData(given: unknown, faults: Faults): Record<string, unknown> | undefined {
  if (isEmpty(given)) return faults.add('required', `is required. Send ${dataForm}`, 'data');
  let value = given;
  // Once for the text that it is, and once for a client that has written the text as JSON before.
  for (let times = 0; times < 2 && typeof value === 'string'; times++) {
    try {
      value = JSON.parse(value);
    } catch {
      return faults.add('invalid_format', `is not valid JSON. Send ${dataForm}`, 'data');
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return faults.add('invalid_type', `must be ${dataForm}`, 'data');
  }
  const entries = Object.entries(value as Record<string, unknown>).filter(([, part]) => !isEmpty(part));
  const renamed = entries.flatMap(([key, part]) => {
    const name = otherNames.get(key.trim().toLowerCase());
    return name === undefined ? [] : [[name, part] as const];
  });
  // The spelling of the contract wins, wherever it stands.
  return Object.fromEntries([...renamed, ...entries]);
}

const dataForm = 'an object with primary_key, channel, from_date and to_date';

const otherNames = new Map([
  ['fromdate', 'from_date'],
  ['todate', 'to_date'],
]);
