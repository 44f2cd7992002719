import type { AccountConnection, CallOptions } from './transport/connection.ts';
import type { RememberBody } from './wire/shapes.ts';

/** Creates the operations on the forgotten people of an account. */
export function createForgotten(account: AccountConnection) {
  return {
    /** Returns the number of forgotten people. */
    count: async (options?: CallOptions): Promise<number> => (await account.call('getForgotten', options)).people,

    /** Allows people with an identity, address or number to be stored again. Returns how many. */
    undo: async (names: RememberBody, options?: CallOptions): Promise<number> =>
      (await account.call('undoForgotten', { ...options, body: names })).people,
  };
}
