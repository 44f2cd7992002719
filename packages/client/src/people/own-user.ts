import type { ListOptions, OperatorListing } from '../account-operator.ts';
import type { CallOptions, Connection } from '../transport/connection.ts';
import { Listing } from '../wire/listing.ts';
import type {
  AddPasskeyBody,
  AuthenticatorSecret,
  ConfirmationBody,
  CreatedPersonalToken,
  CreatePersonalTokenBody,
  OwnSession,
  Passkey,
  PasskeyOptions,
  PersonalToken,
  RecoveryCodes,
  SignedInPerson,
  UpdateOwnProfileBody,
} from '../wire/shapes.ts';

/** The operations of a person on their own user. */
export type OwnUser = ReturnType<typeof createOwnUser>;

/** Creates the operations of the person of the session, or of the personal access token. */
export function createOwnUser(connection: Connection) {
  function listing<Row>(
    id: 'listOwnSessions' | 'listPasskeys' | 'listPersonalTokens',
    { signal, limit }: ListOptions,
  ): OperatorListing<Row> {
    return new Listing(async (cursor) => {
      const page = await connection.call(id, { query: { limit, cursor }, signal });
      return page as unknown as { data: Row[]; next_cursor: string | null };
    });
  }

  return {
    /** Returns the person, with the accounts and permissions of the person. */
    get: (options: CallOptions = {}): Promise<SignedInPerson> => connection.call('getOwnProfile', options),
    /** Changes the name or the language. */
    update: (change: UpdateOwnProfileBody, options: CallOptions = {}): Promise<SignedInPerson> =>
      connection.call('updateOwnProfile', { ...options, body: change }),
    /** Confirms the sign-in by the password or by a code, for sensitive changes. */
    confirm: (proof: ConfirmationBody, options: CallOptions = {}): Promise<void> =>
      connection.call('confirmSignIn', { ...options, body: proof }),
    /** Sets a new password, and ends all other sessions. */
    changePassword: (password: string, options: CallOptions = {}): Promise<void> =>
      connection.call('changePassword', { ...options, body: { new_password: password } }),
    /** Ends the membership of the person in an account. */
    leave: (accountId: number, options: CallOptions = {}): Promise<void> =>
      connection.call('leaveAccount', { ...options, body: { account_id: accountId } }),

    /** Where the person is signed in. */
    sessions: {
      list: (options: ListOptions = {}): OperatorListing<OwnSession> => listing('listOwnSessions', options),
      end: (sessionId: number, options: CallOptions = {}): Promise<void> =>
        connection.call('endOwnSession', { ...options, path: { session_id: sessionId } }),
      /** Ends all sessions except the one of this client. */
      endOthers: (options: CallOptions = {}): Promise<void> => connection.call('endOtherSessions', options),
    },

    /** The authenticator app of the person. */
    authenticator: {
      /** Returns a secret for an app. It has no effect until a code confirms it. */
      start: (options: CallOptions = {}): Promise<AuthenticatorSecret> =>
        connection.call('startAuthenticator', options),
      /** Confirms the app with a first code, and returns the recovery codes. */
      confirm: (code: string, options: CallOptions = {}): Promise<RecoveryCodes> =>
        connection.call('confirmAuthenticator', { ...options, body: { code } }),
      remove: (options: CallOptions = {}): Promise<void> => connection.call('removeAuthenticator', options),
    },

    /** The passkeys of the person. */
    passkeys: {
      list: (options: ListOptions = {}): OperatorListing<Passkey> => listing('listPasskeys', options),
      /** Returns what a browser needs to create a passkey. */
      options: (options: CallOptions = {}): Promise<PasskeyOptions> => connection.call('getNewPasskeyOptions', options),
      add: (passkey: AddPasskeyBody, options: CallOptions = {}): Promise<Passkey> =>
        connection.call('addPasskey', { ...options, body: passkey }),
      delete: (passkeyId: number, options: CallOptions = {}): Promise<void> =>
        connection.call('deletePasskey', { ...options, path: { passkey_id: passkeyId } }),
    },

    /** The personal access tokens of the person. */
    tokens: {
      list: (options: ListOptions = {}): OperatorListing<PersonalToken> => listing('listPersonalTokens', options),
      /** Creates a token. Only this response contains it. */
      create: (token: CreatePersonalTokenBody, options: CallOptions = {}): Promise<CreatedPersonalToken> =>
        connection.call('createPersonalToken', { ...options, body: token }),
      delete: (tokenId: number, options: CallOptions = {}): Promise<void> =>
        connection.call('deletePersonalToken', { ...options, path: { token_id: tokenId } }),
    },
  };
}
