import { useRouter, useRouterState } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';

/** Entries of the history about which something is remembered, until the page is loaded again. */
const memories = new Map<string, unknown>();
const mostMemories = 50;

/**
 * Remembers something about an entry of the history of the browser, for when the person comes back
 * to it. `initial` is what was remembered the last time; undefined for a new entry.
 */
export function useEntryMemory<Memory>(name: string): {
  readonly initial: Memory | undefined;
  readonly remember: (memory: Memory) => void;
} {
  const { history } = useRouter();
  const entry = useRouterState({ select: ({ location }) => location.state.__TSR_key });
  const [path] = useState(history.location.pathname);
  const keyNow = useCallback(() => `${history.location.state.__TSR_key} ${name}`, [history, name]);
  const [initial] = useState(() => memories.get(keyNow()) as Memory | undefined);
  const last = useRef(initial);
  const remember = useCallback(
    (memory: Memory) => {
      last.current = memory;
      // The page is still shown for a moment when the person has left it. That entry is of another page.
      if (history.location.pathname === path) store(keyNow(), memory);
    },
    [history, path, keyNow],
  );
  // The same page can get a new entry, such as one with another filter in its address.
  const lastEntry = useRef(entry);
  useEffect(() => {
    if (lastEntry.current === entry) return;
    lastEntry.current = entry;
    if (last.current !== undefined) remember(last.current);
  }, [entry, remember]);
  return { initial, remember };
}

function store(key: string, memory: unknown): void {
  // The newest memories are the last ones.
  memories.delete(key);
  memories.set(key, memory);
  if (memories.size > mostMemories) memories.delete(memories.keys().next().value!);
}
