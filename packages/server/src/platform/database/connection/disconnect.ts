import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Closes a connection without a word to the server. Its statement fails as unreachable, with
 * `reason` as the message. The outcome of the statement is unknown.
 */
export function disconnect(client: pg.ClientBase, reason: string): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  stream.destroy(Object.assign(new Error(reason), { code: 'ETIMEDOUT' }));
}
