import type { ServerResponse } from 'node:http';

/** The client closed the connection before it was answered. */
class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** Tells whether the client of a response went away before it had all of it. */
export function hasDeparted(response: ServerResponse): boolean {
  return response.destroyed && !response.writableFinished;
}

/** A signal that is aborted, with {@link ClientGone}, when the client of a response goes away before it has all of it. */
export function departureOf(response: ServerResponse): AbortSignal {
  const departure = new AbortController();
  const abort = (): void => {
    if (!response.writableFinished) departure.abort(new ClientGone('the client closed the connection'));
  };
  // The request itself is closed as soon as its body is read, whatever becomes of the connection.
  if (response.closed) abort();
  else response.once('close', abort);
  return departure.signal;
}
