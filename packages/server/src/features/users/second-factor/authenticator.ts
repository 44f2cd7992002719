import type { AuthenticatorSecret } from '@roster/contract';
import { generateSecret, generateURI } from 'otplib';
import type { Context } from '#platform/context.ts';
import { type ApiError, conflict } from '#platform/errors/api-error.ts';
import { lockUserOfSession } from '../store/lock-session.ts';
import {
  confirmAuthenticator,
  findAuthenticator,
  hasAuthenticatorApp,
  putAuthenticator,
  putRecoveryCodes,
} from './authenticator-store.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import { checkAppCode } from './second-factor.ts';

/** The name of the service in authenticator apps and in passkey dialogs. */
export const serviceName = 'Roster';

/**
 * Makes a secret for an authenticator app. It does not protect the sign-in before a code confirms
 * it. Throws `conflict` if the person has an app.
 */
export async function startAuthenticator(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { userId, sessionId, email }: { readonly userId: number; readonly sessionId: number; readonly email: string },
): Promise<AuthenticatorSecret> {
  const secret = generateSecret();
  await db.transaction().execute(async (trx) => {
    await lockUserOfSession(trx, { userId, sessionId });
    if (await hasAuthenticatorApp(trx, userId)) throw hasApp();
    await putAuthenticator(trx, userId, secret, now());
  });
  return { secret, uri: generateURI({ issuer: serviceName, label: email, secret }) };
}

/**
 * Confirms the authenticator app with a first code, and returns new recovery codes. Returns
 * undefined if the code is wrong. Throws `conflict` if there is nothing to confirm.
 */
export async function finishAuthenticator(
  context: Pick<Context, 'db' | 'now'>,
  { userId, sessionId }: { readonly userId: number; readonly sessionId: number },
  code: string,
): Promise<string[] | undefined> {
  const { db, now } = context;
  return db.transaction().execute(async (trx) => {
    await lockUserOfSession(trx, { userId, sessionId });
    const app = await findAuthenticator(trx, userId, { lock: true });
    if (app === undefined) {
      throw conflict('Begin with POST /admin/v1/me/two-factor first.');
    }
    if (app.confirmed_at !== null) throw hasApp();
    if (!(await checkAppCode(trx, context, app, code))) return undefined;
    await confirmAuthenticator(trx, userId, now());
    const codes = newRecoveryCodes();
    await putRecoveryCodes(trx, userId, codes.map(hashRecoveryCode));
    return codes;
  });
}

function hasApp(): ApiError {
  return conflict('There is an authenticator app already. Remove it first.');
}
