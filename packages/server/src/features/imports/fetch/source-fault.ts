import type { ImportFailureCode } from '@roster/contract';
import type { DeliveryError } from '#features/callbacks/destination/delivery-error.ts';

/** Why an attempt to fetch a file failed. Neither the message nor the stack has the URL. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault';
  readonly code: Extract<ImportFailureCode, 'source_refused' | 'source_status' | 'source_unreachable'>;
  /** True if another attempt would end in the same way. */
  readonly isFinal: boolean;
  /** The header `Retry-After` of the response. */
  readonly retryAfter: string | undefined;

  /** `message`: a sentence that follows the URL and a colon. */
  constructor(
    code: SourceFault['code'],
    message: string,
    { isFinal, retryAfter }: { readonly isFinal: boolean; readonly retryAfter?: string | undefined },
  ) {
    super(message);
    this.code = code;
    this.isFinal = isFinal;
    this.retryAfter = retryAfter;
  }
}

const texts = {
  address_refused: 'the address of the host is not public. An operator can allow it with ROSTER_CALLBACK_ALLOW',
  url_refused: 'plain HTTP is not allowed. Use https://, or let an operator allow the host with ROSTER_CALLBACK_ALLOW',
  host_not_found: 'the host name does not resolve to an address',
  timeout: 'the server did not respond in time, or sent the file too slowly',
  tls_failed: 'the TLS connection failed. Check that the certificate is valid for the host and has not expired',
  invalid_response: 'the response is not valid HTTP, or its headers have more than 16 KiB',
  connection_failed: 'the connection failed, or it broke before the file was complete',
} as const;

/** Converts the failure of a request to the server of a file. */
export function faultOf({ code, detail }: DeliveryError): SourceFault {
  const isRefused = code === 'address_refused' || code === 'url_refused';
  const text = code in texts ? texts[code as keyof typeof texts] : texts.connection_failed;
  const more = detail === undefined ? '' : ` (${detail})`;
  return new SourceFault(isRefused ? 'source_refused' : 'source_unreachable', `${text}${more}`, { isFinal: isRefused });
}

/** Returns the fault of a status other than 200. A redirect has been followed before. */
export function statusFault(status: number, retryAfter: string | undefined): SourceFault {
  const isFinal = status < 500 && status !== 408 && status !== 425 && status !== 429;
  return new SourceFault('source_status', `the server returned the status ${status} instead of 200`, {
    isFinal,
    retryAfter,
  });
}
