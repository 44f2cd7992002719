import type { AcceptedAnswer } from '@roster/contract';
import type { ApiKeyRequest } from './request.ts';

/** Makes the common fields of a V5 response to an operation that has done its work. */
export function successOf(
  { requestId }: Pick<ApiKeyRequest<unknown>, 'requestId'>,
  description: string,
): AcceptedAnswer {
  return { request_id: requestId, code: 200, status: 'success', description };
}
