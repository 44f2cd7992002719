import { ApiError } from '#platform/errors/api-error.ts';

/** Makes the error of every failed sign-in. It is the same for all reasons. */
export function signInFailed(): ApiError {
  return new ApiError('sign_in_failed', { headers: { 'www-authenticate': 'Session realm="Roster"' } });
}
