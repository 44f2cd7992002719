import { apiErrors, type ApiErrorCode, type Fault } from '@roster/contract';

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

/** An error for one fault. */
export function invalidField(code: Fault['code'], field: string, message: string): ApiError {
  return invalidRequest([{ code, field, message }]);
}
