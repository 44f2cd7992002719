import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { fromAddress, toAddress, type AddressFilter } from './model/filter-address.ts';
import { countIncomplete, noFilter, type FilterModel } from './model/filter.ts';

/** A filter in the address, and the draft in the builder. */
export interface FilterDraft {
  /** The filter that applies; undefined if the one in the address is damaged. */
  readonly applied: FilterModel | undefined;
  /** The filter in the builder. It can be incomplete. */
  readonly draft: FilterModel;
  readonly setDraft: (filter: FilterModel, typing?: 'typing') => void;
}

/** Milliseconds without typing after which a filter applies. */
const typingPause = 250;

/**
 * Keeps the filter of a page in its address. While the draft in the builder is incomplete, the last
 * complete filter applies.
 */
export function useFilterDraft(address: unknown, setAddress: (filter: AddressFilter | undefined) => void): FilterDraft {
  const text = JSON.stringify(address);
  const [state, setState] = useState(() => stateOf(address, text));
  let current = state;
  if (state.seen !== text) {
    // The address has changed: as expected, or in another way, such as by the back button.
    current = state.expected === text ? { ...state, seen: text } : stateOf(address, text);
    setState(current);
  }
  const apply = (filter: FilterModel): void => {
    const next = toAddress(filter);
    setState((now) => ({ ...now, expected: JSON.stringify(next), applied: filter }));
    setAddress(next);
  };
  const applyLater = useDebouncedCallback(apply, typingPause);
  return {
    applied: current.applied,
    draft: current.draft,
    setDraft(draft, typing) {
      setState((now) => ({ ...now, draft }));
      applyLater.cancel();
      if (countIncomplete(draft) > 0) return;
      if (typing === 'typing') applyLater(draft);
      else apply(draft);
    },
  };
}

function stateOf(address: unknown, text: string | undefined) {
  const applied = fromAddress(address);
  return { seen: text, expected: text, applied, draft: applied ?? noFilter };
}
