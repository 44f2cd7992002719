import { useSyncExternalStore } from 'react';

let isEnded = false;
const listeners = new Set<() => void>();

/**
 * Notes that the session of the person has ended while a page is open, or that it is there again.
 * The frame asks the person to sign in again, and the page stays as it is.
 */
export function setSessionEnded(next: boolean): void {
  if (isEnded === next) return;
  isEnded = next;
  for (const listener of listeners) listener();
}

/** Tells whether the session of the person on this page has ended. */
export function useSessionEnded(): boolean {
  return useSyncExternalStore(subscribe, () => isEnded);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
