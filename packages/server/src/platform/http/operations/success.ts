import type { AcceptedAnswer } from '@roster/contract';
import type { ApiKeyRequest } from './request.ts';

/** The beginning of every answer of V5 to an operation whose work is done. */
export function successOf(
  { requestId }: Pick<ApiKeyRequest<unknown>, 'requestId'>,
  description: string,
): AcceptedAnswer {
  return { request_id: requestId, code: 200, status: 'success', description };
}
