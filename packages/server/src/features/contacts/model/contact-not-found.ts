import { type ApiError, notFound } from '#platform/errors/api-error.ts';

/** Makes the error for a contact that does not exist. */
export function contactNotFound(accountId: number, contactId: number): ApiError {
  return notFound(`contact ${contactId} in account ${accountId}`);
}
