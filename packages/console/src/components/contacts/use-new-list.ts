import { RosterError, type AccountOperator, type List } from '@roster/client';
import { useEffect, useRef } from 'react';

/** A list that was made for a change which has not started yet. */
interface NewList {
  list: List;
  /** The change may have started, for example when its response was lost. */
  mayBeUsed: boolean;
}

/**
 * Returns a function that makes a list and starts a change that needs it. After a refusal, the next
 * try uses the same list, with the new name. Without a next try, the list is deleted when the
 * component, such as a dialog, closes.
 */
export function useNewList({
  lists,
}: AccountOperator): <Result>(name: string, start: (list: List) => Promise<Result>) => Promise<Result> {
  const made = useRef<NewList | undefined>(undefined);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      if (made.current?.mayBeUsed === false) void deleteUnused(lists, made.current);
    };
  }, [lists]);
  return async (name, start) => {
    const { current } = made;
    const list =
      current === undefined
        ? await lists.create({ name })
        : current.list.name === name
          ? current.list
          : await lists.update(current.list.audience_id, { name });
    const mine = { list, mayBeUsed: true };
    made.current = mine;
    try {
      const result = await start(list);
      made.current = undefined;
      return result;
    } catch (error) {
      mine.mayBeUsed = !isRefusal(error);
      if (isGone.current && !mine.mayBeUsed) void deleteUnused(lists, mine);
      throw error;
    }
  };
}

/** If the deletion fails, there is an empty list more. The person has gone on to something else. */
async function deleteUnused(lists: AccountOperator['lists'], { list }: NewList): Promise<void> {
  await lists.delete(list.audience_id).catch(() => undefined);
}

/** Tells whether the service has refused a request, so that it surely has no effect. */
const isRefusal = (error: unknown): boolean =>
  error instanceof RosterError && error.status !== undefined && error.status < 500;
