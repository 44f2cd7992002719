import type { AddPasskeyBody, PasskeySignInBody } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { conflict } from '#platform/errors/api-error.ts';
import type { SessionPerson } from '../profile/requirements.ts';
import { serviceName } from '../second-factor/authenticator.ts';
import type { CookieRequest } from '../sessions/cookies.ts';
import { beginSession } from '../sessions/sessions.ts';
import { confirmationFailed, signInFailed } from '../sign-in/sign-in-failed.ts';
import { beginStep, endStep } from '../sign-in/steps.ts';
import { lockUserOfSession } from '../store/lock-session.ts';
import { findUser, lockUser } from '../store/user-store.ts';
import { insertPasskey, listPasskeys, lockPasskey, updatePasskey, type PasskeyRow } from './passkey-store.ts';
import { relyingPartyOf } from './relying-party.ts';

/** How many passkeys a person can have. */
const maxPasskeys = 50;

/** Loads the library when the first person uses a passkey. It has some 300 modules. */
const loadWebAuthn = () => import('@simplewebauthn/server');

/** Returns what the browser needs to create a passkey. Throws `conflict` if there are too many. */
export async function newPasskeyOptions(
  context: Context,
  request: CookieRequest,
  { userId }: SessionPerson,
): Promise<object> {
  const { config, db } = context;
  const user = await findUser(db, userId);
  if (user === undefined) throw confirmationFailed();
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: serviceName,
    rpID: relyingPartyOf(config, request.incoming).id,
    userID: new Uint8Array(user.passkey_handle),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    excludeCredentials: (await listPasskeys(db, userId, 0, maxPasskeys)).map(descriptor),
    // The sign-in asks for no name, so the device must know the passkey. It must also verify the
    // person, because there is no password.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await beginStep(db, context, request, { kind: 'new_passkey', userId, data: { challenge: options.challenge } });
  return options;
}

/** Adds the passkey that a browser has created. Throws `confirmation_failed` if it does not fit. */
export async function addPasskey(
  context: Context,
  request: CookieRequest,
  { userId, sessionId }: SessionPerson,
  { name, response }: AddPasskeyBody,
): Promise<PasskeyRow> {
  const { config, db, now } = context;
  const step = await endStep(db, context, request, 'new_passkey');
  if (step.userId !== userId) throw confirmationFailed();
  const { origin, id } = relyingPartyOf(config, request.incoming);
  const { transports = [], ...attestation } = response.response;
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...response, type: 'public-key', response: attestation, clientExtensionResults: {} },
    expectedChallenge: String(step.data['challenge']),
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
  }).catch(refused);
  if (!verified || registrationInfo === undefined) throw confirmationFailed();
  const { credential } = registrationInfo;
  return db.transaction().execute(async (trx) => {
    await lockUserOfSession(trx, { userId, sessionId });
    if ((await listPasskeys(trx, userId, 0, maxPasskeys)).length >= maxPasskeys) {
      throw conflict(`You have ${maxPasskeys} passkeys. Remove one first.`);
    }
    const made = await insertPasskey(trx, {
      user_id: userId,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: [...transports],
      name,
      created_at: now(),
    });
    if (made === undefined) throw conflict('This passkey was added already.');
    return made;
  });
}

/** Returns what the browser needs to ask for a passkey. It does not depend on the person. */
export async function passkeyOptions(context: Context, request: CookieRequest): Promise<object> {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingPartyOf(context.config, request.incoming).id,
    userVerification: 'required',
  });
  const step = { kind: 'passkey', userId: undefined, data: { challenge: options.challenge } } as const;
  await beginStep(context.db, context, request, step);
  return options;
}

/** Signs a person in with a passkey. Throws `sign_in_failed` and `sign_in_expired`. */
export async function signInWithPasskey(
  context: Context,
  request: CookieRequest,
  { response }: PasskeySignInBody,
): Promise<void> {
  const { config, db, now } = context;
  const step = await endStep(db, context, request, 'passkey');
  const { origin, id } = relyingPartyOf(config, request.incoming);
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  await db.transaction().execute(async (trx) => {
    const passkey = await lockPasskey(trx, response.id);
    if (passkey === undefined) throw signInFailed();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...response, type: 'public-key', clientExtensionResults: {} },
      expectedChallenge: String(step.data['challenge']),
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        // A counter that does not grow throws: somebody copied the passkey.
        counter: passkey.counter,
      },
    }).catch(failed);
    const user = await lockUser(trx, passkey.user_id);
    const handle = response.response.userHandle;
    const isOther = handle !== undefined && handle !== user?.passkey_handle.toString('base64url');
    if (!verified || user === undefined || user.disabled_at !== null || isOther) throw signInFailed();
    await updatePasskey(trx, passkey.passkey_id, authenticationInfo.newCounter, now());
    await beginSession(trx, context, request, { userId: user.user_id, method: 'passkey' });
  });
}

function descriptor({ credential_id: id, transports }: PasskeyRow) {
  return { id, transports: transports as ('internal' | 'usb')[] };
}

/** The library throws for every answer that does not fit, such as another origin or challenge. */
function failed(cause: unknown): never {
  throw Object.assign(signInFailed(), { cause });
}

function refused(cause: unknown): never {
  throw Object.assign(confirmationFailed(), { cause });
}
