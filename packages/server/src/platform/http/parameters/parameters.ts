import type { Faults } from '@roster/contract';
import { readForm } from './form.ts';
import { looksLikeParts, readParts } from './multipart.ts';

/** The parameters of a request of apiv2, from its query and its body. */
export interface Parameters {
  readonly type?: unknown;
  readonly activity?: unknown;
  readonly apikey?: unknown;
  readonly data?: unknown;
}

const names = new Set(['type', 'activity', 'apikey', 'data']);

/**
 * Finds the parameters of a request, by names in any letter case.
 *
 * The body is read by what it looks like, whatever its content type says: a JSON object, a form in
 * parts, or else a form, see {@link readForm}. The query wins over the body. A parameter that is
 * given twice in one of the two, with different values, is a fault: nobody can say which one was
 * meant.
 */
export async function readParameters(query: string, body: string, faults: Faults): Promise<Parameters> {
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

/** Null and blank text count as absent: another place or another name may have the value. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
