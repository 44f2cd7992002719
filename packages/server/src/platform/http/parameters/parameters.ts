import type { Faults } from '@roster/contract';
import { readForm } from './form.ts';
import { looksLikeParts, readParts } from './multipart.ts';

const names = ['type', 'activity', 'apikey', 'data', 'listid', 'primary_key', 'path', 'notifyemail'] as const;
type Name = (typeof names)[number];

/** The parameters of an apiv2 request, from its query and its body. A blank one is an empty text. */
export type Parameters = Readonly<Partial<Record<Name, unknown>>>;

/** The names as clients write them, without underscores. */
const spellings = new Map<string, Name>(names.map((name) => [lettersOf(name), name]));

/**
 * Reads the parameters of a request. Names can have any letter case, and more or fewer underscores.
 *
 * The content of the body decides how it is read, not its content type: a JSON object,
 * multipart/form-data, or else a form ({@link readForm}). The query takes precedence over the body.
 * A parameter with two different values in the query, or in the body, is a fault, because it is
 * unclear which value was meant. A value takes precedence over a blank.
 */
export async function readParameters(query: string, body: string, faults: Faults): Promise<Parameters> {
  const fromQuery = collect(readForm(query), faults);
  const fromBody = collect(await readBody(body, faults), faults);
  const given = Object.entries(fromQuery).filter(([, value]) => !isEmpty(value));
  return { ...fromQuery, ...fromBody, ...Object.fromEntries(given) };
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

function collect(
  given: Iterable<readonly [name: string, value: unknown]>,
  faults: Faults,
): Partial<Record<Name, unknown>> {
  const found: Partial<Record<Name, unknown>> = {};
  for (const [key, value] of given) {
    const name = spellings.get(lettersOf(key));
    if (name === undefined) continue;
    if (isEmpty(value)) found[name] ??= '';
    else if (isEmpty(found[name]) || found[name] === value) found[name] = value;
    else faults.add('duplicate', 'is given twice, with different values. Leave one of them out', name);
  }
  return found;
}

function lettersOf(name: string): string {
  return name.trim().toLowerCase().replaceAll('_', '');
}

/** True for null and blank text. Such a parameter counts as absent. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
