import type { Faults } from '@roster/contract';
import { readForm } from './form.ts';
import { looksLikeParts, readParts } from './multipart.ts';

const names = ['type', 'activity', 'apikey', 'data', 'listid', 'primary_key', 'path', 'notifyemail'] as const;

/** The parameters of an apiv2 request, from its query and its body. */
export type Parameters = Readonly<Partial<Record<(typeof names)[number], unknown>>>;

/**
 * Reads the parameters of a request. Names can have any letter case.
 *
 * The content of the body decides how it is read, not its content type: a JSON object,
 * multipart/form-data, or else a form ({@link readForm}). The query takes precedence over the body.
 * A parameter with two different values in the query, or in the body, is a fault, because it is
 * unclear which value was meant.
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
    if (!(names as readonly string[]).includes(name) || isEmpty(value)) continue;
    if (found[name] !== undefined && found[name] !== value) {
      faults.add('duplicate', 'is given twice, with different values. Leave one of them out', name);
    } else found[name] = value;
  }
  return found;
}

/** True for null and blank text. Such a parameter counts as absent. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
