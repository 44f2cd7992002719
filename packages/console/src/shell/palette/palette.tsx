import '@mantine/spotlight/styles.css';
import { Loader } from '@mantine/core';
import { useId } from '@mantine/hooks';
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { ListFilter, type LucideIcon, Search, Tags, UserRound, Users, UsersRound } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { isVisibleTo, navigation, type AccountPage } from '../account/navigation.ts';
import { useAccountIfAny, usePerson } from '../account/use-account.ts';
import { paletteFieldId, releaseKeys } from './held-keys.ts';
import { usePaletteSearch, type PaletteFindings } from './use-palette-search.ts';

const [paletteStore, palette] = createSpotlight();

/** Opens the command palette. */
export function openPalette(): void {
  palette.open();
  // If it is open already.
  document.getElementById(paletteFieldId)?.focus();
}

/** The command palette (Ctrl-K or Cmd-K): goes to pages, contacts, audiences and attributes. */
export function Palette(): ReactNode {
  const t = useTexts('shell');
  const [typed, setTyped] = useState('');
  const findings = usePaletteSearch(typed);
  const { isSearching, hasFailed, isCurrent } = findings;
  const groups = usePaletteGroups(typed, findings);
  const listId = useId();
  const found = groups.flatMap(({ actions }) => actions.map(({ id }) => id)).join(' ');
  useEffect(() => {
    if (found !== '') selectFirst(listId);
  }, [found, listId]);
  // The text for which the person pressed the Enter key before its results were there.
  const awaited = useRef<string>(undefined);
  useEffect(() => {
    if (awaited.current === typed && !isCurrent) return;
    const opens = awaited.current === typed;
    awaited.current = undefined;
    if (opens) selectedIn(listId)?.click();
  }, [typed, isCurrent, listId]);
  const isEmpty = groups.every(({ actions }) => actions.length === 0);
  const nothing = hasFailed ? t('palette.failed') : isSearching ? t('palette.searching') : t('nothingFound');
  return (
    <Spotlight.Root
      store={paletteStore}
      query={typed}
      onQueryChange={setTyped}
      // The frame listens for the keys, so that the palette is loaded only when it is needed.
      shortcut={null}
      scrollable
      maxHeight={440}
      clearQueryOnClose
      // A person types at once. With a transition, the field would come too late for the first letters.
      transitionProps={{ duration: 0 }}
      onSpotlightClose={() => (awaited.current = undefined)}
      onSpotlightOpen={() => document.getElementById(paletteFieldId)?.focus()}
      // The selected action has too little contrast otherwise.
      styles={{ actionDescription: { opacity: 1 } }}
      attributes={{ content: { 'aria-label': t('search') } }}
    >
      <Spotlight.Search
        id={paletteFieldId}
        onFocus={() => {
          const held = releaseKeys();
          if (held !== '') setTyped((text) => text + held);
        }}
        onKeyDownCapture={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing || isCurrent) return;
          event.preventDefault();
          event.stopPropagation();
          awaited.current = typed;
        }}
        leftSection={isSearching ? <Loader size={16} aria-hidden /> : <Search size={16} aria-hidden />}
        placeholder={t('searchHint')}
        aria-label={t('search')}
      />
      <Spotlight.ActionsList id={listId}>
        {groups.map(({ group, actions }, at) =>
          actions.length === 0 ? null : (
            <Spotlight.ActionsGroup key={at} label={group}>
              {actions.map(({ id, ...action }) => (
                <Spotlight.Action key={id} {...action} />
              ))}
            </Spotlight.ActionsGroup>
          ),
        )}
        {isEmpty && <Spotlight.Empty>{nothing}</Spotlight.Empty>}
      </Spotlight.ActionsList>
      {typed === '' && (
        <Spotlight.Footer fz="xs" c="dimmed">
          {t('palette.hint')}
        </Spotlight.Footer>
      )}
    </Spotlight.Root>
  );
}

const selectedIn = (listId: string): HTMLElement | null | undefined =>
  document.getElementById(listId)?.querySelector<HTMLElement>('[data-selected]');

/**
 * Selects the first action, for the Enter key. Mantine does it only when the text changes, so not
 * when something is found later.
 */
function selectFirst(listId: string): void {
  const actions = document.getElementById(listId)?.querySelectorAll('[data-action]') ?? [];
  for (const [at, action] of actions.entries()) action.toggleAttribute('data-selected', at === 0);
  paletteStore.updateState((state) => ({ ...state, selected: 0 }));
}

interface Group {
  readonly group: string;
  readonly actions: readonly (SpotlightActionData & { readonly id: string })[];
}

/** Returns what the palette shows for a text, in groups. */
function usePaletteGroups(
  typed: string,
  { contacts, lists, segments, attributes, byName }: PaletteFindings,
): readonly Group[] {
  const t = useTexts('shell');
  const current = useAccountIfAny();
  const navigate = useNavigate();
  const isAdmin = usePerson()?.is_installation_admin === true;
  const base = current === undefined ? '' : `/accounts/${current.accountId}`;
  const entry = (
    path: string,
    label: string,
    Icon: LucideIcon,
    { description, search }: { readonly description?: string; readonly search?: Record<string, unknown> } = {},
  ): Group['actions'][number] => ({
    id: search === undefined ? path : `${path} ${Object.values(search).join(' ')}`,
    label,
    ...(description !== undefined && { description }),
    leftSection: <Icon size={16} aria-hidden />,
    onClick: () => void navigate({ to: `${base}${path}`, ...(search && { search }) }),
  });
  const wanted = typed.trim().toLowerCase();
  const isVisible = (page: AccountPage): boolean => current !== undefined && isVisibleTo(page, current.can, isAdmin);
  // Without a text, only the pages of the menu.
  const pages = navigation.flat().flatMap((main) => [
    ...[main].filter(isVisible).map(({ id, path, icon }) => entry(path, t(`pages.${id}`), icon)),
    ...(wanted === '' ? [] : (main.pages ?? [])).filter(isVisible).map(({ id, path, tab }) =>
      entry(path, t(`pages.${id}`), main.icon, {
        description: t(`pages.${main.id}`),
        // The page without a tab has the same address as its section.
        ...(path === main.path && { search: { tab } }),
      }),
    ),
  ]);
  const own = (path: '/users' | '/profile', label: string, Icon: LucideIcon): Group['actions'][number] => ({
    ...entry(path, label, Icon),
    onClick: () => void navigate({ to: path }),
  });
  return [
    {
      group: t('palette.contacts'),
      actions: contacts.map(({ contact_id, email, mobile, identity }) => {
        const names = [email, mobile, identity].filter((name): name is string => name !== null && name !== '');
        const [label = String(contact_id), ...others] = [...new Set(names)];
        return entry(`/contacts/${contact_id}`, label, UserRound, {
          description: [...others, `#${contact_id}`].join(' · '),
        });
      }),
    },
    {
      group: t('palette.audiences'),
      actions: [
        ...lists.map(({ audience_id, name }) =>
          entry(`/audiences/lists/${audience_id}`, name, Users, { description: t('palette.list') }),
        ),
        ...segments.map(({ audience_id, name }) =>
          entry(`/audiences/segments/${audience_id}`, name, ListFilter, { description: t('palette.segment') }),
        ),
      ],
    },
    {
      group: t('palette.attributes'),
      actions: attributes.map(({ id, name }) => entry(`/attributes/${id}`, name, Tags)),
    },
    {
      group: t('palette.pages'),
      actions: [
        ...pages,
        ...(isAdmin ? [own('/users', t('users'), UsersRound)] : []),
        own('/profile', t('profile'), UserRound),
      ].filter(({ label }) => label?.toLowerCase().includes(wanted) === true),
    },
    {
      // Last, because the text is the name of something else more often.
      group: t('palette.contacts'),
      actions:
        byName === undefined
          ? []
          : [
              entry('/contacts', t('palette.byName', { text: typed.trim() }), UserRound, {
                search: { filter: byName, build: true },
              }),
            ],
    },
  ];
}
