import { contactsPerRequest, Faults, isEmail, type ApiErrorCode, type FaultCode } from '@roster/contract';
import { readCallbackUrl } from '#features/callbacks/destination/callback-url.ts';
import { ApiError } from '#platform/errors/api-error.ts';

/** A batch whose envelope is valid. */
export interface BatchEnvelope {
  readonly listId: number;
  /** The given primary key. It may differ from the primary key of the account. */
  readonly primaryKey: string;
  readonly notifyEmail: string;
  readonly callbackUrl: string;
  /** 1 to 1000 contacts, not checked yet. */
  readonly data: readonly unknown[];
}

type Given = Readonly<Record<string, unknown>>;

/**
 * The checks of an envelope, in the order of the error table. `12.0` is read as 12, so it passes.
 */
const checks: readonly (readonly [ApiErrorCode, (given: Given) => boolean])[] = [
  ['batch_listid_invalid', ({ listid }) => Number.isInteger(listid)],
  ['batch_too_large', ({ data }) => !Array.isArray(data) || data.length <= contactsPerRequest],
  ['batch_primarykey_invalid', ({ primarykey }) => isText(primarykey)],
  ['batch_receivers_invalid', ({ callbackurl, notifyemail }) => isText(callbackurl) && isText(notifyemail)],
  ['batch_data_invalid', ({ data }) => Array.isArray(data)],
];

/**
 * Reads the envelope of a batch. Throws the first fault in the order of the error table. Throws
 * `batch_invalid` for faults that the table does not have.
 */
export function readEnvelope(body: unknown): BatchEnvelope {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('the body should be a JSON object');
  }
  const given = fieldsOf(body as Given);
  for (const [code, isMet] of checks) if (!isMet(given)) throw new ApiError(code);
  const { listid, primarykey, notifyemail, callbackurl, data } = given as {
    readonly listid: number;
    readonly primarykey: string;
    readonly notifyemail: string;
    readonly callbackurl: string;
    readonly data: readonly unknown[];
  };
  if (data.length === 0) throw invalid('data should have at least one contact');
  const notifyEmail = notifyemail.trim();
  if (!isEmail(notifyEmail)) throw invalid('notifyemail should be an e-mail address, such as asha@example.com');
  return { listId: listid, primaryKey: primarykey.trim(), notifyEmail, callbackUrl: readUrl(callbackurl.trim()), data };
}

function invalid(reason: string): ApiError {
  return new ApiError('batch_invalid', { params: { reason } });
}

/** Other names of the keys of an envelope. */
const aliases: Readonly<Record<string, string>> = { callback: 'callbackurl' };

/**
 * Returns the values of an envelope by the keys of the contract. A key can have any letter case,
 * and underscores between its words. If a field is given in several spellings, the value with the
 * spelling of the contract is used, unless it is null.
 */
function fieldsOf(body: Given): Given {
  const fields = new Map<string, unknown>();
  for (const [key, value] of Object.entries(body)) {
    const plain = key.trim().toLowerCase().replaceAll('_', '');
    const name = aliases[plain] ?? plain;
    if (key === name || !Object.hasOwn(body, name) || body[name] === null) fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** Messages that differ from those of exports: a batch allows http, and sends no headers. */
const urlReasons: Partial<Record<FaultCode, string>> = {
  invalid_format: 'callbackurl should be a URL that begins with https:// or http://',
  not_allowed: 'callbackurl should not have a user name or password',
};

/** Reads the callback URL. Its host is checked when the callback is sent. */
function readUrl(text: string): string {
  const faults = new Faults();
  const url = readCallbackUrl(text, faults);
  if (url !== undefined) return url.href;
  const { code, message } = faults.list[0]!;
  throw invalid(urlReasons[code] ?? `callbackurl ${message}`);
}
