import type { ServerResponse } from 'node:http';

/** The client closed the connection before it had the whole response. */
class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** True when the client closed the connection before it had the whole response. */
export function isDisconnected(response: ServerResponse): boolean {
  return response.destroyed && !response.writableFinished;
}

/** Returns a signal that aborts when the client disconnects before it has the whole response. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => {
    if (!response.writableFinished) controller.abort(new ClientGone('the client closed the connection'));
  };
  // Listen on the response: the request closes as soon as its body is read.
  if (response.closed) abort();
  else response.once('close', abort);
  return controller.signal;
}
