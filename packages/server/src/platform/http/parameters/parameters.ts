import type { Faults } from '@roster/contract';
import { readForm } from './form.ts';
import { looksLikeParts, readParts } from './multipart.ts';

/** The parameters of a request, from its query and its body. */
export interface UserActivityParameters {
  readonly type?: unknown;
  readonly activity?: unknown;
  readonly apikey?: unknown;
  readonly data?: unknown;
}

const names = new Set(['type', 'activity', 'apikey', 'data']);

/**
 * Finds the parameters of a request, by names in any letter case (decisions §6).
 *
 * The body is read by what it looks like, whatever its content type says: a JSON object, a form in parts, or else a form, see {@link readForm}. The query wins over
 * the body. A parameter that is given twice in one of the two, with different values, is a fault: nobody can say which one was meant.
 */
export async function readParameters(query: string, body: string, faults: Faults): Promise<UserActivityParameters> {
  const fromQuery = collect(readForm(query), faults);
  const fromBody = collect(await readBody(body, faults), faults);
  return { ...fromBody, ...fromQuery };
}

async function readBody(body: string, faults: Faults): Promise<Iterable<readonly [name: string, value: unknown]>> {
  if (looksLikeParts(body)) {
    try {
      return await readParts(body);
    } catch {
      faults.add(
        'invalid_format',
        'has a body that begins like multipart/form-data but is not valid. Send the parameters as JSON',
      );
      return [];
    }
  }
  const text = body.trim();
  if (!text.startsWith('{')) return readForm(text);
  try {
    return Object.entries(JSON.parse(text) as object);
  } catch {
    faults.add('invalid_format', 'has a body that begins like JSON but is not valid JSON');
    return [];
  }
}

function collect(given: Iterable<readonly [name: string, value: unknown]>, faults: Faults): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [key, value] of given) {
    const name = key.trim().toLowerCase();
    if (!names.has(name) || isEmpty(value)) continue;
    if (found[name] !== undefined && found[name] !== value) {
      faults.add('duplicate', 'is given twice, with different values. Leave one of them out', name);
    } else found[name] = value;
  }
  return found;
}

/**
 * Reads the value of `data`: an object, or JSON text of one, also as text in text, as some clients write it. Adds a fault when it is neither.
 * The answer has the names of the contract: `fromdate` and `todate` are other names of `from_date` and `to_date`.
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

/** Null and blank text count as absent: another place or another name may have the value. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

const otherNames = new Map([
  ['fromdate', 'from_date'],
  ['todate', 'to_date'],
]);
