import type { Faults } from '@roster/contract';
import { isEmpty } from '#platform/http/parameters/parameters.ts';

/** Reads the parameter `data`. Renames `fromdate` and `todate` to `from_date` and `to_date`. */
export function readData(given: unknown, faults: Faults): Record<string, unknown> | undefined {
  const value = readObject(given, dataForm, faults);
  if (value === undefined) return undefined;
  const entries = Object.entries(value).filter(([, part]) => !isEmpty(part));
  const renamed = entries.flatMap(([key, part]) => {
    const name = otherNames.get(key.trim().toLowerCase());
    return name === undefined ? [] : [[name, part] as const];
  });
  // If both spellings are present, the one of the contract wins.
  return Object.fromEntries([...renamed, ...entries]);
}

/**
 * Reads an object in the parameter `data`: the object, or its JSON text. Some clients encode that
 * text as JSON a second time. Adds a fault for any other value. `form` describes the object.
 */
export function readObject(given: unknown, form: string, faults: Faults): Record<string, unknown> | undefined {
  if (isEmpty(given)) return faults.add('required', `is required. Send ${form}`, 'data');
  let value = given;
  // The second round decodes text that a client encoded twice.
  for (let times = 0; times < 2 && typeof value === 'string'; times++) {
    try {
      value = JSON.parse(value);
    } catch {
      return faults.add('invalid_format', `is not valid JSON. Send ${form}`, 'data');
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return faults.add('invalid_type', `must be ${form}`, 'data');
  }
  return value as Record<string, unknown>;
}

const dataForm = 'an object with primary_key, channel, from_date and to_date';

const otherNames = new Map([
  ['fromdate', 'from_date'],
  ['todate', 'to_date'],
]);
