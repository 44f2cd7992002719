import { randomBytes } from 'node:crypto';
import { writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { hour } from '#platform/time/intervals.ts';
import { requireAccount, requireLockedAccount } from '../store/require-account.ts';
import {
  endSigningSecret,
  findSigningSecrets,
  insertSigningSecret,
  type SigningSecretRow,
} from './signing-secret-store.ts';

/**
 * Milliseconds for which callbacks have signatures of both secrets after a rotation, so that
 * receivers can change to the new secret without a gap.
 */
export const signingSecretOverlap = 24 * hour;

/** The secrets that sign the callbacks of an account. */
export interface SigningSecrets {
  readonly current: SigningSecretRow;
  /** The previous secret, while it is still valid. */
  readonly previous: SigningSecretRow | undefined;
}

/** Generates a signing secret: `whsec_` and 256 random bits as 44 characters of base64. */
export function generateSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Loads the signing secrets of an account. Throws `not_found`. */
export async function signingSecretsOf(
  context: Pick<Context, 'now'>,
  db: Database,
  accountId: number,
): Promise<SigningSecrets> {
  await requireAccount(db, accountId);
  const [current, previous] = await findSigningSecrets(db, accountId, context.now());
  return { current: current!, previous };
}

/**
 * Gives an account a new signing secret. The old secret stays valid for 24 hours. An even older
 * secret ends at once, so that there are never more than two. Throws `not_found`.
 */
export async function rotateSigningSecret(
  context: Context,
  accountId: number,
  author: Author,
): Promise<SigningSecrets> {
  return context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, accountId);
    const now = context.now();
    await endSigningSecret(trx, accountId, new Date(now.getTime() + signingSecretOverlap));
    await insertSigningSecret(trx, accountId, generateSigningSecret(), now);
    await writeAudit(trx, context, {
      accountId,
      actor: author,
      action: 'signing-secret.rotate',
      subject: `account:${accountId}`,
    });
    return signingSecretsOf(context, trx, accountId);
  });
}
