import type { CallOptions, Connection } from '../transport/connection.ts';
import type {
  AcceptInvitationBody,
  CompletePasswordResetBody,
  PasskeySignInBody,
  SetUpBody,
  SignInBody,
} from '../wire/shapes.ts';

/** The operations of signing in. They are for pages of the service: the session is a cookie. */
export type SignIn = ReturnType<typeof createSignIn>;

/** Creates the operations of signing in and out. They need no credential. */
export function createSignIn(connection: Connection) {
  return {
    /** Returns who is signed in, and how people can sign in. */
    session: (options?: CallOptions) => connection.call('getSession', options),
    /** Creates the first owner by the link of the set-up, and signs the owner in. */
    setUp: (owner: SetUpBody, options?: CallOptions) => connection.call('setUp', { ...options, body: owner }),
    /** Signs in with a password. The answer says whether a code is needed, too. */
    withPassword: (credentials: SignInBody, options?: CallOptions) =>
      connection.call('signIn', { ...options, body: credentials }),
    /** Completes a sign-in with a code of the authenticator app, or with a recovery code. */
    withCode: (code: string, options?: CallOptions) =>
      connection.call('sendSecondFactor', { ...options, body: { code } }),
    /** Returns what a browser needs to ask for a passkey. */
    passkeyOptions: (options?: CallOptions) => connection.call('getPasskeyOptions', options),
    withPasskey: (passkey: PasskeySignInBody, options?: CallOptions) =>
      connection.call('signInWithPasskey', { ...options, body: passkey }),
    /** Ends the session. */
    out: (options?: CallOptions) => connection.call('signOut', options),
    /** Asks for a link that sets a new password. The answer is the same for every address. */
    requestPasswordReset: (email: string, options?: CallOptions) =>
      connection.call('requestPasswordReset', { ...options, body: { email } }),
    /** Sets a new password by a link. */
    completePasswordReset: (reset: CompletePasswordResetBody, options?: CallOptions) =>
      connection.call('completePasswordReset', { ...options, body: reset }),
    /** Returns what an invitation offers. */
    lookUpInvitation: (token: string, options?: CallOptions) =>
      connection.call('lookUpInvitation', { ...options, body: { token } }),
    /** Accepts an invitation, and returns the session. */
    acceptInvitation: (acceptance: AcceptInvitationBody, options?: CallOptions) =>
      connection.call('acceptInvitation', { ...options, body: acceptance }),
  };
}
