import type { AccountOperator, List } from '@roster/client';
import { useRef } from 'react';

/**
 * Returns a function that creates a list for a change that can be refused afterwards. When the
 * change is tried again, the list is used again, with the new name.
 */
export function useNewList({ lists }: AccountOperator): (name: string) => Promise<List> {
  const made = useRef<List | undefined>(undefined);
  return async (name) => {
    const { current } = made;
    if (current !== undefined && current.name === name) return current;
    const list =
      current === undefined ? await lists.create({ name }) : await lists.update(current.audience_id, { name });
    made.current = list;
    return list;
  };
}
