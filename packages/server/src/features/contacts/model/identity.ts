import { anonymousPrefix, isEmail, isLongerThan, mobileDigits } from '@roster/contract';
import { comparableEmail } from './contact.ts';

/**
 * The comparable form of an identity, which is the key of the contact: lower case for the primary key EMAIL, digits only for MOBILE,
 * unchanged for a custom attribute. undefined when the text does not have the form of the primary key.
 */
export function contactKey(primaryKey: string, identity: string): string | undefined {
  switch (primaryKey) {
    case 'EMAIL':
      return isEmail(identity) ? comparableEmail(identity) : undefined;
    case 'MOBILE':
      return mobileDigits(identity);
    default:
      // Also reached by the value of the attribute, which the envelope does not check as an identity.
      return identity === '' || isLongerThan(identity, 255) || identity.startsWith(anonymousPrefix)
        ? undefined
        : identity;
  }
}
