import type { CallOptions, Connection } from './transport/connection.ts';
import type { RememberBody } from './wire/shapes.ts';

/** Creates the operations on the forgotten people of one account. */
export function createForgotten(connection: Connection, accountId: number) {
  const account = { account_id: accountId };
  return {
    /** Returns the number of forgotten people. */
    count: async (options: CallOptions = {}): Promise<number> =>
      (await connection.call('getForgotten', { ...options, path: account })).people,

    /** Allows people with an identity, address or number to be stored again. Returns how many. */
    undo: async (names: RememberBody, options: CallOptions = {}): Promise<number> =>
      (await connection.call('undoForgotten', { ...options, path: account, body: names })).people,
  };
}
