import type { CallOptions, Connection } from '../transport/connection.ts';
import { listRows, type ListOptions } from '../transport/list-rows.ts';
import type {
  AddPasskeyBody,
  ConfirmationBody,
  CreatePersonalTokenBody,
  UpdateOwnProfileBody,
} from '../wire/shapes.ts';

/** The operations of a person on their own user. */
export type OwnUser = ReturnType<typeof createOwnUser>;

/** Creates the operations of the person of the session, or of the personal access token. */
export function createOwnUser(connection: Connection) {
  return {
    /** Returns the person, with the accounts and permissions of the person. */
    get: (options?: CallOptions) => connection.call('getOwnProfile', options),
    /** Changes the name or the language. */
    update: (change: UpdateOwnProfileBody, options?: CallOptions) =>
      connection.call('updateOwnProfile', { ...options, body: change }),
    /** Confirms the sign-in by the password or by a code, for sensitive changes. */
    confirm: (proof: ConfirmationBody, options?: CallOptions) =>
      connection.call('confirmSignIn', { ...options, body: proof }),
    /** Sets a new password, and ends all other sessions. */
    changePassword: (password: string, options?: CallOptions) =>
      connection.call('changePassword', { ...options, body: { new_password: password } }),
    /** Ends the membership of the person in an account. */
    leave: (accountId: number, options?: CallOptions) =>
      connection.call('leaveAccount', { ...options, body: { account_id: accountId } }),

    /** Where the person is signed in. */
    sessions: {
      list: (options?: ListOptions) => listRows(connection, 'listOwnSessions', options),
      end: (sessionId: number, options?: CallOptions) =>
        connection.call('endOwnSession', { ...options, path: { session_id: sessionId } }),
      /** Ends all sessions except the one of this client. */
      endOthers: (options?: CallOptions) => connection.call('endOtherSessions', options),
    },

    /** The authenticator app of the person. */
    authenticator: {
      /** Returns a secret for an app. It has no effect until a code confirms it. */
      start: (options?: CallOptions) => connection.call('startAuthenticator', options),
      /** Confirms the app with a first code, and returns the recovery codes. */
      confirm: (code: string, options?: CallOptions) =>
        connection.call('confirmAuthenticator', { ...options, body: { code } }),
      remove: (options?: CallOptions) => connection.call('removeAuthenticator', options),
    },

    /** The passkeys of the person. */
    passkeys: {
      list: (options?: ListOptions) => listRows(connection, 'listPasskeys', options),
      /** Returns what a browser needs to create a passkey. */
      options: (options?: CallOptions) => connection.call('getNewPasskeyOptions', options),
      add: (passkey: AddPasskeyBody, options?: CallOptions) =>
        connection.call('addPasskey', { ...options, body: passkey }),
      delete: (passkeyId: number, options?: CallOptions) =>
        connection.call('deletePasskey', { ...options, path: { passkey_id: passkeyId } }),
    },

    /** The personal access tokens of the person. */
    tokens: {
      list: (options?: ListOptions) => listRows(connection, 'listPersonalTokens', options),
      /** Creates a token. Only this response contains it. */
      create: (token: CreatePersonalTokenBody, options?: CallOptions) =>
        connection.call('createPersonalToken', { ...options, body: token }),
      delete: (tokenId: number, options?: CallOptions) =>
        connection.call('deletePersonalToken', { ...options, path: { token_id: tokenId } }),
    },
  };
}
