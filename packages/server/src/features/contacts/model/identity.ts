import { anonymousPrefix, isEmail, isLongerThan, mobileDigits } from '@roster/contract';
import { comparableEmail } from './contact.ts';

/**
 * Returns the contact key of an identity: its comparable form. That is lower case for the primary
 * key EMAIL, digits only for MOBILE, and the same text for a custom attribute.
 * Returns undefined when the text is not a valid value of the primary key.
 */
export function contactKey(primaryKey: string, identity: string): string | undefined {
  switch (primaryKey) {
    case 'EMAIL':
      return isEmail(identity) ? comparableEmail(identity) : undefined;
    case 'MOBILE':
      return mobileDigits(identity);
    default:
      // Checked here too because the text may come from `attributes`, where the body check does not
      // treat it as an identity.
      return identity === '' || isLongerThan(identity, 255) || identity.startsWith(anonymousPrefix)
        ? undefined
        : identity;
  }
}
