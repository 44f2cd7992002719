import type { RunningWork } from '@roster/client';
import { useEffect } from 'react';

type Work = Pick<RunningWork, 'kind' | 'id'>;

const nameOf = ({ kind, id }: Work): string => `${kind} ${id}`;

/** The work that was started in this tab and has not ended. */
const started = new Set<string>();
/** The work whose end a part of the page shows, with the number of these parts. */
const shown = new Map<string, number>();

/**
 * Notes that the person has started a piece of work, so that a message tells when it has ended. The
 * work of other people and of programs has no messages: there can be a lot of it.
 */
export function noteStartedWork(work: Work): void {
  started.add(nameOf(work));
}

/** Tells whether a message must say that the work has ended. Returns true only once. */
export function takeUnseenEnd(work: Work): boolean {
  const name = nameOf(work);
  return started.delete(name) && !shown.has(name);
}

/** Notes that the component shows how the work ends, so that no message is necessary. */
export function useShownWork(kind: RunningWork['kind'], id: string | undefined): void {
  useEffect(() => {
    if (id === undefined) return undefined;
    const name = nameOf({ kind, id });
    shown.set(name, (shown.get(name) ?? 0) + 1);
    return () => {
      const others = (shown.get(name) ?? 1) - 1;
      if (others === 0) shown.delete(name);
      else shown.set(name, others);
    };
  }, [kind, id]);
}
