import { apiErrors, faultCodes } from '@roster/contract';
import type { OpenApiDocument } from '#platform/http/openapi/document.ts';
import { internals } from '../fuzz/answers.ts';
import { conformanceTo } from '../support/conforms.ts';
import type { Outcome } from './connection.ts';
import type { HostileRequest } from './hostile-request.ts';

/**
 * Returns the problems of the answer to a request. Returns an empty list for a documented answer.
 */
export type Judge = (request: HostileRequest, outcome: Outcome) => string[];

// Statuses of HTTP and of limits. A change to the request may cause any of them, in any operation.
const anyStatus = new Set([
  200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 408, 409, 410, 411, 412, 413,
]);
for (const status of [414, 415, 416, 417, 421, 422, 426, 429, 431]) anyStatus.add(status);
// Limits and a busy service may refuse any request.
const limitStatuses = new Set([413, 429]);

// The database is always reachable in a run, so no answer may say that it is not.
const unintended = new Set([
  'unavailable',
  'database_full',
  'batch_server_not_found',
  'storage_unavailable',
  'internal',
]);

/** Every description of the error catalogue as a pattern, with its code and status. */
const descriptions = Object.entries(apiErrors).map(([code, { status, description }]) => ({
  code,
  status: status as number,
  pattern: new RegExp(
    `^${description
      .split(/\{\w+\}/)
      .map(literally)
      .join('.*')}`,
    's',
  ),
}));

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** Creates the judge of a run. `secret` is a text in all data of another account. */
export function createJudge(document: OpenApiDocument, secret: string): Judge {
  const conforms = conformanceTo(document);
  const secretBytes = Buffer.from(secret);
  return (request, outcome) => {
    const { target, draft } = request;
    if (outcome.kind === 'silent') return [`no complete answer within ${(outcome.milliseconds / 1000).toFixed(0)} s`];
    // The watch over the processes reports that the service died.
    if (outcome.kind === 'unsent') return [];
    if (outcome.kind === 'closed') return draft.isTorn ? [] : [`no answer: ${outcome.reason}`];
    const { status, headers, body } = outcome;
    const problems: string[] = [];
    if (body.includes(secretBytes)) problems.push('a value of another account is in the answer');
    if (outcome.more !== '' && !draft.isTorn)
      problems.push(`there are bytes after the answer: ${JSON.stringify(outcome.more)}`);
    const type = headers.get('content-type') ?? '';
    const text = headers.get('content-encoding') === undefined ? textOf(body) : '';
    const value = type.startsWith('application/json') ? parsed(text) : undefined;
    problems.push(...serverFaults(status, value, text));
    if (status >= 500) return problems;
    if (!anyStatus.has(status)) return [...problems, `status ${status}`];
    if (draft.method === 'HEAD' || status === 204 || status === 304) return problems;
    if (status >= 400)
      problems.push(...errorProblems(value, status, type, target.isDescribed), ...leaks(value, request));
    if (target.isDescribed && draft.isIntact) {
      const isDescribed = problems.length === 0 && !limitStatuses.has(status);
      if (isDescribed)
        problems.push(
          ...conformanceProblems(() => conforms({ method: draft.method, path: draft.url, status, body: value })),
        );
    } else if (status < 300 && isJson(type) && value === undefined) problems.push('not JSON in UTF-8');
    return problems;
  };
}

function serverFaults(status: number, value: unknown, text: string): string[] {
  // v3 uses status 400 when the database is unreachable.
  if (status < 500 && !(status === 400 && text.includes(apiErrors.batch_server_not_found.description))) return [];
  const description = descriptionOf(value);
  const codes = descriptions.filter((kind) => kind.status === status && kind.pattern.test(description));
  const code = (codes.find((kind) => unintended.has(kind.code)) ?? codes[0])?.code;
  if (status === 503 && code !== undefined && !unintended.has(code)) return [];
  return [`status ${status}: ${code ?? text.slice(0, 300)}`];
}

/** Returns the description of an error answer, in the envelope of any generation. */
function descriptionOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const { description, message, details } = value as Record<string, unknown>;
  const text = description ?? message ?? details;
  return typeof text === 'string' ? text : '';
}

/** The keys of an error answer in each generation: V5 and operator, v4, v3, apiv2. */
const envelopes = new Set([
  'code,description,errors,request_id,status',
  'data,message,statusCode',
  'message,status',
  'details,result,status',
]);

function errorProblems(value: unknown, status: number, type: string, mustBeJson: boolean): string[] {
  if (!isJson(type)) return mustBeJson ? [`content type ${type || 'missing'} with status ${status}`] : [];
  if (typeof value !== 'object' || value === null) return ['not JSON in UTF-8'];
  const keys = Object.keys(value).sort().join();
  if (!envelopes.has(keys)) return [`an error answer with the keys ${keys}`];
  const { code, statusCode, status: inBody, errors = [] } = value as Record<string, unknown>;
  const told = code ?? statusCode ?? (typeof inBody === 'number' ? inBody : status);
  const problems = told === status ? [] : [`status ${JSON.stringify(told)} in an answer with status ${status}`];
  for (const fault of errors as { code: string; field: string; message: string }[]) {
    if (!(fault.code in faultCodes)) problems.push(`unknown code ${fault.code}`);
    const isPrintable = fault.field.isWellFormed() && !fault.field.includes('\0');
    if (!isPrintable) problems.push(`the field is not printable: ${JSON.stringify(fault.field)}`);
  }
  return problems;
}

/**
 * Finds words about internals in an answer. Words from the request are allowed, because messages
 * may repeat a wrong name.
 */
function leaks(value: unknown, { bytes }: HostileRequest): string[] {
  const found = internals.exec(JSON.stringify(value) ?? '')?.[0];
  if (found === undefined || bytes.toString('latin1').toLowerCase().includes(found.toLowerCase())) return [];
  return [`the answer shows internals (${found}): ${JSON.stringify(value).slice(0, 500)}`];
}

function conformanceProblems(check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [(error as Error).message.slice(0, 1000)];
  }
}

const isJson = (type: string): boolean => type === 'application/json; charset=utf-8';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the text of a body, or an empty string if the body is not UTF-8. */
function textOf(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    return '';
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
