import { verify } from 'otplib';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { findAuthenticator, useRecoveryCode, useTimeStep, type AuthenticatorRow } from './authenticator-store.ts';
import { hashRecoveryCode } from './recovery-codes.ts';

// In seconds: a code is accepted for one step before and after its own, because clocks differ.
const tolerance = 30;

/** Checks a code of the authenticator app or a recovery code, and uses it up. */
export async function checkSecondFactor(
  trx: Database,
  context: Pick<Context, 'now'>,
  userId: number,
  code: string,
): Promise<boolean> {
  const digits = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return useRecoveryCode(trx, userId, hashRecoveryCode(code));
  const app = await findAuthenticator(trx, userId);
  return app !== undefined && app.confirmed_at !== null && checkAppCode(trx, context, app, digits);
}

/** Checks a code of an authenticator app, and uses it up. Each code works once. */
export async function checkAppCode(
  trx: Database,
  { now }: Pick<Context, 'now'>,
  app: AuthenticatorRow,
  code: string,
): Promise<boolean> {
  const digits = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return false;
  const epoch = Math.floor(now().getTime() / 1000);
  const result = await verify({ secret: app.secret, token: digits, epoch, epochTolerance: tolerance });
  if (!result.valid || !('timeStep' in result)) return false;
  return useTimeStep(trx, app.user_id, result.timeStep);
}
