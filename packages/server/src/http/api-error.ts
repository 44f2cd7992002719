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

/** An error that a caller is told: one entry of the catalogue (decisions §2). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly faults: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;

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
  }
}

/** An error for faults of the envelope. */
export function invalidRequest(faults: readonly Fault[]): ApiError {
  return new ApiError('invalid_request', { faults });
}

/** The error for everything that was found: a request that is in order but for the rights of its key is 403, any other 400 (decisions §2, §4). */
export function refusalOf({ list }: Faults): ApiError {
  // The only scope that a field can need.
  const params = { scope: 'unmasked' satisfies Scope };
  return list.every(({ code }) => code === 'missing_scope')
    ? new ApiError('missing_scope', { params, faults: list })
    : invalidRequest(list);
}

/** An error for one fault. */
export function invalidField(code: Fault['code'], field: string, message: string): ApiError {
  return invalidRequest([{ code, field, message }]);
}
