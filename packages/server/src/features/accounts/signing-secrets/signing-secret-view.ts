import type { SigningSecret } from '@roster/contract';
import type { SigningSecrets } from './signing-secrets.ts';

/** Converts the signing secrets of an account to their form in the operator API. */
export function signingSecretView({ current, previous }: SigningSecrets): SigningSecret {
  return {
    secret: current.secret,
    created_at: current.created_at.toISOString(),
    previous:
      previous === undefined ? null : { secret: previous.secret, expires_at: previous.expires_at!.toISOString() },
  };
}
