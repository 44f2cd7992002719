import { ApiError } from '#platform/errors/api-error.ts';

/** Makes the error for a contact that does not exist. */
export function contactNotFound(accountId: number, contactId: number): ApiError {
  return new ApiError('not_found', { params: { what: `contact ${contactId} in account ${accountId}` } });
}
