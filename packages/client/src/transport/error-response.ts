import { codeOf, RosterError } from './roster-error.ts';
import { readRetryAfter } from './retry.ts';
import { operations } from '../wire/operation-table.ts';
import type { OperationId } from '../wire/operations.ts';
import type { ErrorEntry } from '../wire/shapes.ts';

/** Creates the error for a response that is not a success, in any generation of the API. */
export function readErrorResponse(operation: string, response: Response, text: string): RosterError {
  const body = parse(text);
  const { status } = response;
  const { description, requestId, faults } = factsOf(body);
  const others = faults.filter((fault, index) => !isDescribed(fault, index === 0, description ?? ''));
  const shown = others.slice(0, 5).map(lineOf);
  if (others.length > shown.length) shown.push(`\n  … and ${others.length - shown.length} more`);
  const retryAfter = readRetryAfter(response.headers);
  // Roster sends a 503 without Retry-After only for a search timeout. A 503 without a description
  // is from a proxy.
  const isSlow = status === 503 && description !== undefined && retryAfter === undefined;
  // v3 has no status 503. This is its response while the database is unreachable.
  const isUnreachable = isOfV3(operation) && status === 400 && description === v3ServerNotFound;
  const code = isSlow ? 'search_timeout' : isUnreachable ? 'unavailable' : codeOf(status);
  const summary = description ?? (response.statusText === '' ? 'no description' : response.statusText);
  return new RosterError(code, `${operation}: ${status} ${summary}${shown.join('')}`, {
    operation,
    status,
    requestId,
    faults,
    current: body['current'],
    retryAfter,
  });
}

/**
 * Tells whether the description contains a fault. It contains the first one, and all refused names
 * of one list, with the end of their path, such as `attributes_needed[3]: CITI is not …`.
 */
function isDescribed({ field, message }: ErrorEntry, isFirst: boolean, description: string): boolean {
  return description.includes(isFirst ? message : `${field.slice(field.lastIndexOf('.') + 1)}: ${message}`);
}

/** Returns a fault with its place. A message can be the rest of a sentence, or a whole sentence. */
function lineOf({ field, message }: ErrorEntry): string {
  return `\n  ${field === '' ? 'the request' : field}${/^[a-z]/.test(message) ? ' ' : ': '}${message}`;
}

/** The message of v3 in cases in which other operations respond with 503. */
const v3ServerNotFound = 'the service server not found';

function isOfV3(operation: string): boolean {
  return operation in operations && operations[operation as OperationId].path.startsWith('/v3/');
}

interface ErrorFacts {
  readonly description: string | undefined;
  readonly requestId: string | undefined;
  readonly faults: readonly ErrorEntry[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Finds the fields of an error. V5 and the operator API have them at top level, v4 under `data`.
 * The description is `details` in apiv2, and `message` in v3.
 */
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

/** Finds the id of the request in a description. Some error shapes have no field for it. */
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
