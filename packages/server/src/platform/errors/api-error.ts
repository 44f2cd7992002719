import { apiErrors, type ApiErrorCode, type Fault, type Faults, type Scope } from '@roster/contract';

/** What an error answer is made of, besides its kind. */
export interface ApiErrorOptions {
  /** Values for the `{name}` places of the description. */
  readonly params?: Readonly<Record<string, string | number>>;
  /** What is wrong with the request, place by place. */
  readonly faults?: readonly Fault[];
  /** Headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An error that a caller is told: one entry of the catalogue. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly faults: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;
  /** Values for the `{name}` places of the description. */
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
    this.params = params;
  }
}

/** An error for faults of the request. Its description is the first of them, because many clients log nothing else. */
export function invalidRequest(faults: readonly Fault[]): ApiError {
  return new ApiError('invalid_request', { faults, params: { fault: summaryOf(faults) } });
}

/** The first fault as a sentence, all names of the same list that are refused, and the number of the other faults. */
function summaryOf(faults: readonly Fault[]): string {
  const [first, ...others] = faults;
  if (first === undefined) return 'The request is not valid';
  const alike = others.filter((other) => isAlike(first, other));
  const text = [faultText(first), ...alike.map(({ field, message }) => `${indexOf(field)}: ${message}`)].join(' ');
  const more = others.length - alike.length;
  return more === 0 ? text : `${text} (and ${more} more ${more === 1 ? 'fault' : 'faults'}; see errors)`;
}

/** True for two names of one list that are refused: a caller who sends a hundred names wants to hear of all that are wrong. */
function isAlike(first: Fault, other: Fault): boolean {
  const nameThemselves = !predicate.test(first.message) && !predicate.test(other.message);
  return nameThemselves && indexOf(first.field) !== '' && listOf(first.field) === listOf(other.field);
}

/** The index at the end of a path, such as `[3]`; empty when there is none. */
function indexOf(path: string): string {
  return /\[\d+\]$/.exec(path)?.[0] ?? '';
}

function listOf(path: string): string {
  return path.slice(0, path.length - indexOf(path).length);
}

// Most messages are predicates of their place, such as "must not be blank"; others are whole sentences.
const predicate = /^(?:must|is|has|does|needs|cannot|belongs) /;

/** A fault with its place, such as `data.contacts[3].email must not be blank`. */
export function faultText({ field, message }: Pick<Fault, 'field' | 'message'>): string {
  const place = field === '' ? 'The request' : field;
  const text = predicate.test(message) ? `${place} ${message}` : `${place}: ${message}`;
  // Where a second sentence says what to do, both are whole sentences.
  return text.includes('. ') ? asSentence(text) : text;
}

/** A text with a full stop at its end. */
export function asSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** The error for everything that was found: a request that is in order but for the rights of its key is 403, any other 400. */
export function refusalOf({ list }: Faults): ApiError {
  // The only scope that a field can need.
  const params = { scope: `${'unmasked' satisfies Scope}. ${asSentence(summaryOf(list))}` };
  return list.every(({ code }) => code === 'missing_scope')
    ? new ApiError('missing_scope', { params, faults: list })
    : invalidRequest(list);
}

/** An error for one fault. */
export function invalidField(code: Fault['code'], field: string, message: string): ApiError {
  return invalidRequest([{ code, field, message }]);
}
