import type { FoundContact, List, OperatorAttribute, Segment } from '@roster/client';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { isName } from '#components/contacts/is-name.ts';
import type { AddressFilter } from '#components/filter/model/filter-address.ts';
import { useAccountIfAny } from '../account/use-account.ts';

/** Rows of each kind that the palette shows. */
const limit = 6;

/** What the palette finds in an account, apart from its pages. */
export interface PaletteFindings {
  readonly contacts: readonly FoundContact[];
  readonly lists: readonly List[];
  readonly segments: readonly Segment[];
  readonly attributes: readonly OperatorAttribute[];
  /** People with this name, for the page of contacts. Only if no key begins with the text. */
  readonly byName: AddressFilter | undefined;
  readonly isSearching: boolean;
  /** Whether everything was found for the present text, and nothing for the text before it. */
  readonly isCurrent: boolean;
  readonly hasFailed: boolean;
}

/**
 * Finds contacts by e-mail address, mobile number, identity or id, and lists, segments and attributes
 * by name. It searches only what the person may read, and only from two characters on. While it
 * searches, it returns what it found for the text before, so that the list does not flicker.
 */
export function usePaletteSearch(typed: string): PaletteFindings {
  const current = useAccountIfAny();
  const [text] = useDebouncedValue(typed.trim(), 120);
  const isLong = text.length >= 2;
  const key = ['accounts', current?.accountId, 'palette'];
  const account = current?.account;
  const common = { placeholderData: keepPreviousData, staleTime: 10_000 };

  const contacts = useQuery({
    ...common,
    queryKey: [...key, 'contacts', text],
    queryFn:
      isLong && current?.can('contacts:read') === true
        ? ({ signal }) => account!.contacts.find(text, { signal })
        : skipToken,
  });
  const lists = useQuery({
    ...common,
    queryKey: [...key, 'lists', text],
    queryFn:
      isLong && current?.can('lists:read') === true
        ? ({ signal }) => account!.lists.list({ contains: text, limit, signal }).page()
        : skipToken,
  });
  const segments = useQuery({
    ...common,
    queryKey: [...key, 'segments', text],
    queryFn:
      isLong && current?.can('segments:read') === true
        ? ({ signal }) => account!.segments.list({ contains: text, limit, signal }).page()
        : skipToken,
  });
  const attributes = useQuery({
    ...common,
    queryKey: [...key, 'attributes'],
    staleTime: 60_000,
    queryFn:
      isLong && current?.can('attributes:read') === true
        ? ({ signal }) => account!.attributes.list({ limit: 200, signal }).all()
        : skipToken,
  });

  const queries = [contacts, lists, segments, attributes];
  const isFound =
    text === typed.trim() && !(isLong && queries.some((query) => query.isPlaceholderData || query.isLoading));
  const offersNames = isLong && isFound && contacts.data?.data.length === 0 && isName(text);
  const canUnmask = current?.can('unmasked') === true;
  const byName = useQuery({
    queryKey: [...key, 'by-name', text, attributes.data],
    // Its code is loaded when it is needed, because the palette is on every page.
    queryFn: offersNames
      ? async () => (await import('./find-by-name.ts')).findByName(attributes.data ?? [], canUnmask, text)
      : skipToken,
  });
  const wanted = text.toLowerCase();
  return {
    contacts: isLong ? (contacts.data?.data.slice(0, limit) ?? []) : [],
    lists: isLong ? (lists.data?.data ?? []) : [],
    segments: isLong ? (segments.data?.data ?? []) : [],
    attributes: isLong
      ? (attributes.data ?? []).filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, limit)
      : [],
    byName: offersNames ? (byName.data ?? undefined) : undefined,
    isCurrent: isFound && !byName.isLoading,
    isSearching: (isLong && queries.some(({ isFetching }) => isFetching)) || text !== typed.trim(),
    hasFailed: isLong && queries.some(({ isError }) => isError),
  };
}
