import { characters, passwordLength } from '@roster/contract';
import { invalidField } from '#platform/errors/api-error.ts';
import { emailKey } from '../store/user-store.ts';

/**
 * Checks a new password. Throws `invalid_request` if it is too short or too long, or if it is the
 * e-mail address. There are no other rules, because they make passwords worse.
 */
export function requireGoodPassword(password: string, email: string, field = 'password'): void {
  const length = characters(password.normalize('NFC'));
  const { minimum, maximum } = passwordLength;
  if (length < minimum) throw invalidField('too_short', field, `must have at least ${minimum} characters`);
  if (length > maximum) throw invalidField('too_long', field, `must have at most ${maximum} characters`);
  if (emailKey(password) === emailKey(email)) {
    throw invalidField('not_allowed', field, 'must not be the e-mail address');
  }
}
