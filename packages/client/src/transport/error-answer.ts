import { codeOf, RosterError } from './roster-error.ts';
import { readRetryAfter } from './retry.ts';
import type { ErrorEntry } from '../wire/shapes.ts';

/** Makes the error of an answer that is no success; the generations of the interface shape theirs differently. */
export function readErrorAnswer(operation: string, response: Response, text: string): RosterError {
  const body = parse(text);
  const { status } = response;
  const { description, requestId, faults } = factsOf(body);
  // The description has the first fault in words.
  const others = faults.filter(({ message }, index) => index > 0 || description?.includes(message) !== true);
  const shown = others
    .slice(0, 5)
    .map(({ field, message }) => `\n  ${field === '' ? 'the request' : field} ${message}`);
  if (others.length > shown.length) shown.push(`\n  … and ${others.length - shown.length} more`);
  const retryAfter = readRetryAfter(response.headers);
  // The only thing that Roster gives up without a word on when to try again; without its description it is the answer of a proxy.
  const isSlow = status === 503 && description !== undefined && retryAfter === undefined;
  // Batch add has no 503: this is its answer while the database is away.
  const isAway = operation === 'batchAddContacts' && status === 400 && description === batchServerNotFound;
  const code = isSlow ? 'search_timeout' : isAway ? 'unavailable' : codeOf(status);
  const said = description ?? (response.statusText === '' ? 'no description' : response.statusText);
  return new RosterError(code, `${operation}: ${status} ${said}${shown.join('')}`, {
    operation,
    status,
    requestId,
    faults,
    retryAfter,
  });
}

/** The words of batch add for what is 503 everywhere else. */
const batchServerNotFound = 'the service server not found';

interface ErrorFacts {
  readonly description: string | undefined;
  readonly requestId: string | undefined;
  readonly faults: readonly ErrorEntry[];
}

type Fields = Readonly<Record<string, unknown>>;

/** V5 and operator: at top level; v4: under `data`; apiv2: `details`; v3: `message`. */
function factsOf(body: Fields): ErrorFacts {
  const inner = isFields(body['data']) ? body['data'] : body;
  const description = inner['description'] ?? body['details'] ?? body['message'];
  const requestId = body['request_id'];
  const errors = inner['errors'];
  return {
    description: typeof description === 'string' ? description : undefined,
    requestId: typeof requestId === 'string' ? requestId : requestIdIn(description),
    faults: Array.isArray(errors) ? (errors as unknown[]).filter(isEntry) : [],
  };
}

/** Where an error shape has no place for the identifier, a failure of the service has it in its text. */
function requestIdIn(text: unknown): string | undefined {
  return typeof text === 'string' ? /\(request_id ([0-9a-f-]{36})\)/.exec(text)?.[1] : undefined;
}

function parse(text: string): Fields {
  try {
    const body: unknown = JSON.parse(text);
    return isFields(body) ? body : {};
  } catch {
    return {};
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEntry = (value: unknown): value is ErrorEntry =>
  isFields(value) && ['code', 'field', 'message'].every((key) => typeof value[key] === 'string');
