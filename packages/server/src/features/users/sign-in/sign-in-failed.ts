import { ApiError } from '#platform/errors/api-error.ts';

/** Makes the error of every failed sign-in. It is the same for all reasons. */
export function signInFailed(): ApiError {
  return new ApiError('sign_in_failed', { headers: { 'www-authenticate': 'Session realm="Roster"' } });
}

/** Makes the error for a person with a session who could not confirm it. The session continues. */
export function confirmationFailed(): ApiError {
  return new ApiError('confirmation_failed');
}
