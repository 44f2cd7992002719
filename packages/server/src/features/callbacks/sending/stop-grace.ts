// When the process stops, running attempts get this time, in milliseconds. A receiver that does not
// respond in time gets the same content again.
const stopGrace = 4000;

/** Returns a signal that ends a running attempt some seconds after the process begins to stop. */
export function untilStopIsDue(stopping: AbortSignal): { readonly signal: AbortSignal } & Disposable {
  const later = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    timer = setTimeout(() => later.abort(new Error('the process stops')), stopGrace);
  };
  if (stopping.aborted) begin();
  else stopping.addEventListener('abort', begin, { once: true });
  return {
    signal: later.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      stopping.removeEventListener('abort', begin);
    },
  };
}
