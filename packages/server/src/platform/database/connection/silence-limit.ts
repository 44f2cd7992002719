import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Ends a connection when its server says nothing for `milliseconds` while a statement runs: the server is paused, or the network lost the
 * connection. Time limits of the server do not help then. The statement fails as unreachable, and its outcome is unknown.
 */
export function limitSilence(client: pg.ClientBase, milliseconds: number): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  // False while a statement runs. The types leave it out.
  const state = client as unknown as { readonly readyForQuery: boolean };

  function endIfSilent(readBefore: number): void {
    // A paused stream waits for a slow reader of this process, and not for the server.
    if (state.readyForQuery || stream.isPaused() || stream.bytesRead > readBefore) return;
    const error = new Error(`the database said nothing for ${milliseconds / 1000} s`);
    stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  }

  stream.setTimeout(milliseconds);
  stream.on('timeout', () => {
    // A statement that begins from here on has its time before it.
    if (state.readyForQuery) return;
    const { bytesRead } = stream;
    // When this process was busy for long, the answer may be here unread.
    setImmediate(() => setImmediate(() => endIfSilent(bytesRead)));
  });
}
