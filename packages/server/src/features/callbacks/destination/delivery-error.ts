import { deliveryErrors, type DeliveryErrorCode } from '@roster/contract';

/** The failure of an attempt to send a callback, with its code from the catalogue. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly code: DeliveryErrorCode;
  /** The code of the system or TLS error, such as `ECONNREFUSED`. A message could contain data. */
  readonly detail: string | undefined;

  constructor(code: DeliveryErrorCode, detail?: string, cause?: unknown) {
    super(deliveryErrors[code], { cause });
    this.code = code;
    this.detail = detail;
  }
}

/** Converts the failure of an HTTP request to an entry of the catalogue. */
export function requestError(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const detail = errorCode(error);
  // It has a code of the HTTP parser, which none of the patterns below matches.
  if (error instanceof Error && error.name === 'HTTPParserError')
    return new DeliveryError('invalid_response', detail, error);
  if (detail === undefined) return new DeliveryError('internal', undefined, error);
  const code = kinds.find(([pattern]) => pattern.test(detail))?.[1] ?? 'connection_failed';
  return new DeliveryError(code, detail, error);
}

const kinds: readonly (readonly [RegExp, DeliveryErrorCode])[] = [
  [/^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$|^ETIMEDOUT$/, 'timeout'],
  [/^UND_ERR_(HEADERS_OVERFLOW|RES_|INFO|NOT_SUPPORTED)/, 'invalid_response'],
  [/^ERR_(TLS|SSL)_|CERT|^UNABLE_TO_|^EPROTO$|^HOSTNAME_MISMATCH$/, 'tls_failed'],
  [/^UND_ERR_(INVALID_ARG|REQ_CONTENT_LENGTH_MISMATCH)|^ERR_INVALID/, 'internal'],
];

/**
 * Returns the code of an error or of its cause. A failed connection has one error for each address.
 */
function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  return errorCode(error.cause);
}
