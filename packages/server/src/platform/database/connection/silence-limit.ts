import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Ends a connection when its server sends nothing for `milliseconds` while a statement runs. Then
 * the server is paused, or the network has lost the connection. Time limits of the server do not
 * help. The statement fails as unreachable, and its outcome is unknown. Dispose the result to end the
 * limit.
 */
export function limitSilence(client: pg.ClientBase, milliseconds: number): Disposable {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  // False while a statement runs. The types of the library lack this field.
  const state = client as unknown as { readonly readyForQuery: boolean };

  function endIfSilent(readBefore: number): void {
    // If the stream is paused, the server waits for a slow reader in this process.
    if (state.readyForQuery || stream.isPaused() || stream.bytesRead > readBefore) return;
    const error = new Error(`no response from the database for ${milliseconds / 1000} s`);
    stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  }

  const onTimeout = (): void => {
    // No statement runs. The next statement has its full time.
    if (state.readyForQuery) return;
    const { bytesRead } = stream;
    // If this process was busy for long, the response may have arrived but is not read yet.
    setImmediate(() => setImmediate(() => endIfSilent(bytesRead)));
  };

  stream.setTimeout(milliseconds);
  stream.on('timeout', onTimeout);
  return {
    [Symbol.dispose]() {
      stream.setTimeout(0);
      stream.off('timeout', onTimeout);
    },
  };
}
