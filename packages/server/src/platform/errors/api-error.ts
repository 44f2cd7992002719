import { apiErrors, type ApiErrorCode, type Fault, type Faults, type Scope } from '@roster/contract';

/** Parts of an error answer, besides its kind. */
export interface ApiErrorOptions {
  /** Values for the `{name}` placeholders of the description. */
  readonly params?: Readonly<Record<string, string | number>>;
  /** The faults of the request. */
  readonly faults?: readonly Fault[];
  /** Headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The present state, for `precondition_failed`. */
  readonly current?: object;
  readonly cause?: unknown;
}

/** An error that a caller sees: one entry of the catalogue. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly faults: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;
  readonly current: object | undefined;
  /** Values for the `{name}` placeholders of the description. */
  readonly params: Readonly<Record<string, string | number>>;

  constructor(code: ApiErrorCode, options: ApiErrorOptions = {}) {
    const kind = apiErrors[code];
    const params = options.params ?? {};
    super(
      kind.description.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? name)),
      {
        cause: options.cause,
      },
    );
    this.code = code;
    this.status = kind.status;
    this.faults = options.faults ?? [];
    this.headers = options.headers ?? {};
    this.current = options.current;
    this.params = params;
  }
}

/**
 * Makes the error for faults of the request. Its description has the first fault, because many
 * clients log nothing else.
 */
export function invalidRequest(faults: readonly Fault[]): ApiError {
  return new ApiError('invalid_request', { faults, params: { fault: summaryOf(faults) } });
}

/**
 * Returns the first fault as a sentence, then all other refused names of the same list, then the
 * number of the remaining faults.
 */
function summaryOf(faults: readonly Fault[]): string {
  const [first, ...others] = faults;
  if (first === undefined) return 'The request is not valid';
  const alike = others.filter((other) => isAlike(first, other));
  const text = [faultText(first), ...alike.map(({ field, message }) => `${lastKeyOf(field)}: ${message}`)].join(' ');
  const more = others.length - alike.length;
  return more === 0 ? text : `${text} (and ${more} more ${more === 1 ? 'fault' : 'faults'}; see errors)`;
}

/**
 * Returns whether two faults are refused names of the same list. A caller who sends a hundred names
 * needs to see all the wrong ones.
 */
function isAlike(first: Fault, other: Fault): boolean {
  const nameThemselves = !predicate.test(first.message) && !predicate.test(other.message);
  return nameThemselves && indexOf(first.field) !== '' && listOf(first.field) === listOf(other.field);
}

/** Returns the index at the end of a path, such as `[3]`, or an empty text. */
function indexOf(path: string): string {
  return /\[\d+\]$/.exec(path)?.[0] ?? '';
}

/** Returns the end of a path, such as `attributes_needed[3]`. */
function lastKeyOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function listOf(path: string): string {
  return path.slice(0, path.length - indexOf(path).length);
}

// Most messages are predicates of their place, such as "must not be blank". Others are whole
// sentences.
const predicate = /^(?:must|is|has|does|needs|cannot|belongs) /;

/** Returns a fault with its place, such as `data.contacts[3].email must not be blank`. */
export function faultText({ field, message }: Pick<Fault, 'field' | 'message'>): string {
  const place = field === '' ? 'The request' : field;
  const text = predicate.test(message) ? `${place} ${message}` : `${place}: ${message}`;
  // If a second sentence says what to do, the text also ends with a full stop.
  return text.includes('. ') ? asSentence(text) : text;
}

/** Adds a full stop to a text, unless it ends with a punctuation mark. */
export function asSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** The scopes that a field can need. The message of the fault names its scope. */
const scopesOfFields = ['unmasked', 'activity:read'] as const satisfies readonly Scope[];

/**
 * Makes the error for all faults of a request: 403 if the key only lacks a scope, 400 otherwise.
 */
export function faultsError({ list }: Faults): ApiError {
  const needed = scopesOfFields.filter((scope) => list.some(({ message }) => message.includes(scope)));
  const scope = needed.length === 0 ? scopesOfFields[0] : needed.join(' and ');
  const params = { scope: `${scope}. ${asSentence(summaryOf(list))}` };
  return list.every(({ code }) => code === 'missing_scope')
    ? new ApiError('missing_scope', { params, faults: list })
    : invalidRequest(list);
}

/** Makes the error for one fault. */
export function invalidField(code: Fault['code'], field: string, message: string): ApiError {
  return invalidRequest([{ code, field, message }]);
}

/** Makes the error for something that does not exist, such as `list 3 in account 1`. */
export function notFound(what: string): ApiError {
  return new ApiError('not_found', { params: { what } });
}

/** Makes the error for a change that the present state does not allow. `reason` is a sentence. */
export function conflict(reason: string): ApiError {
  return new ApiError('conflict', { params: { reason } });
}
