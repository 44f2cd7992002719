import * as contract from '@roster/contract';
import { Ajv } from 'ajv';
import type { LightMyRequestResponse } from 'fastify';

// 413: the body is too large. 415 and 421: the headers are wrong (421 is for a foreign host).
// 403: a search compares with an attribute that an update has masked.
const expectedStatuses = new Set([200, 400, 403, 409, 413, 415, 421]);

const ajv = new Ajv({ strict: false, validateFormats: false, schemas: [contract.ErrorEntry] });
for (const shape of [
  contract.AttributeRecord,
  contract.AttributeUse,
  contract.AttributeUsage,
  contract.RequestFailure,
  contract.WaitedOutcome,
]) {
  ajv.addSchema(shape);
}
/** The shape of a successful answer of each operation, and whether its rows must be flat. */
const successes = [
  { path: /contact\/(create|update|delete)$/, shape: contract.AcceptedAnswer, flat: false },
  { path: /contact\/(audience\/)?search$/, shape: contract.SearchAnswer, flat: true },
  { path: /attribute\/(create|delete)$/, shape: contract.AcceptedAnswer, flat: false },
  { path: /attribute\/search$/, shape: contract.SearchAttributesAnswer, flat: true },
  { path: /attribute\/update$/, shape: contract.UpdateAttributesAnswer, flat: true },
  { path: /attribute\/usage$/, shape: contract.AttributeUsageAnswer, flat: false },
].map((success) => ({
  ...success,
  keys: Object.keys(success.shape.properties),
  validate: ajv.compile(success.shape),
}));
const isError = ajv.compile(contract.ErrorAnswer);

/**
 * Words about internals, which no caller may see. The pattern is case-sensitive: messages name
 * attributes
 * in capitals, and a hostile body may create one with the name UNDEFINED.
 */
export const internals =
  /node_modules|\.ts\b|[Pp]ostgre|\bpg_|[Kk]ysely|[Ff]astify|FST_|SQLSTATE|syntax error at or near|\[object |undefined|NaN/;

const keysOfError = ['request_id', 'code', 'status', 'description', 'errors'];

/**
 * Returns the problems of an answer to a hostile request. Returns an empty list for a documented
 * answer.
 */
export function answerProblems(path: string, answer: LightMyRequestResponse, secret: string): string[] {
  const { statusCode: status, rawPayload } = answer;
  if (!expectedStatuses.has(status)) return [`status ${status}: ${answer.payload.slice(0, 500)}`];
  if (answer.headers['content-type'] !== 'application/json; charset=utf-8') {
    return [`content type ${String(answer.headers['content-type'])}`];
  }
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawPayload)) as Record<string, unknown>;
  } catch (error) {
    return [`not JSON in UTF-8: ${String(error)}`];
  }
  const problems: string[] = [];
  if (answer.payload.includes(secret)) problems.push('a value of another account is in the answer');
  if (status === 403 && !answer.payload.includes('missing_scope')) problems.push('403 without the code missing_scope');
  if (body['code'] !== status) problems.push(`code ${String(body['code'])} in an answer with status ${status}`);
  if (status !== 200) return [...problems, ...errorProblems(body)];
  const success = successes.find((candidate) => candidate.path.test(path));
  if (success === undefined) return [`the test has no answer shape for ${path}`];
  const { validate, keys, flat } = success;
  if (!validate(body)) problems.push(`wrong shape: ${ajv.errorsText(validate.errors)}`);
  problems.push(...unknownKeys(body, keys));
  if (flat) problems.push(...rowProblems(body));
  return problems;
}

/**
 * Removes names that a message repeats from the request: `NaN is not a field` shows no internals.
 */
function withoutNames(text: string): string {
  return text.replaceAll(/\S+ is not (?=an? )/g, 'is not ').replace(/for the host \S+/, 'for the host');
}

function errorProblems(body: Record<string, unknown>): string[] {
  if (!isError(body)) return [`wrong shape: ${ajv.errorsText(isError.errors)}`];
  const problems = unknownKeys(body, keysOfError);
  const { description, errors } = body as {
    description: string;
    errors: { code: string; field: string; message: string }[];
  };
  if (internals.test(withoutNames(description))) problems.push(`the description shows internals: ${description}`);
  if (errors.length > 50) problems.push(`${errors.length} errors`);
  if (description.endsWith('see errors') && errors.length === 0)
    problems.push('the description refers to errors, but there are none');
  for (const { code, field, message } of errors) {
    if (!(code in contract.faultCodes)) problems.push(`unknown code ${code}`);
    if (internals.test(withoutNames(message))) problems.push(`a message shows internals: ${message}`);
    if (!field.isWellFormed() || field.includes('\0'))
      problems.push(`the field is not printable: ${JSON.stringify(field)}`);
  }
  return problems;
}

function rowProblems(body: Record<string, unknown>): string[] {
  const rows = body['data'] as Record<string, unknown>[];
  const problems: string[] = [];
  if (rows.length > 1000) problems.push(`${rows.length} rows on a page`);
  const isFlat = rows.every((row) =>
    Object.values(row).every((value) => value === null || typeof value !== 'object' || Array.isArray(value)),
  );
  if (!isFlat) problems.push('a row is not flat');
  return problems;
}

function unknownKeys(body: object, known: readonly string[]): string[] {
  return Object.keys(body).flatMap((key) => (known.includes(key) ? [] : [`unexpected key ${key}`]));
}
