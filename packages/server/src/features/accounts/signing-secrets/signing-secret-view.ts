import type { SigningSecret } from '@roster/contract';
import type { SigningSecrets } from './signing-secrets.ts';

/** The signing secrets of an account as the operator API shows them. */
export function signingSecretView({ current, previous }: SigningSecrets): SigningSecret {
  return {
    secret: current.secret,
    created_at: current.created_at.toISOString(),
    previous:
      previous === undefined ? null : { secret: previous.secret, expires_at: previous.expires_at!.toISOString() },
  };
}
