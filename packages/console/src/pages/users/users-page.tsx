import { Group, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import type { User } from '@roster/client';
import { skipToken, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search, UsersRound } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { client } from '#api/client.ts';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { SideDialog } from '#components/actions/side-dialog.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { Page } from '#components/layout/page.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import type { DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { ColourBadge } from '#components/values/status-badge.tsx';
import { ConfirmationProvider } from '#shell/account/confirmation.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { UserDetails } from './user-details.tsx';

/** The page /users: all people of the installation, for installation administrators. */
export function UsersPage(): ReactNode {
  const t = useTexts('users');
  const search = useSearch({ from: '/signed-in/users' });
  const navigate = useNavigate({ from: '/users' });
  const { contains } = search;
  const query = useInfiniteQuery(
    listingQuery(['users', contains ?? ''], (more) => client.users.list({ ...more, ...(contains && { contains }) })),
  );
  const rows = useRowsOfPages(query);
  const columns = useColumns();
  const open = useUser(search.user, rows.rows);
  const close = (): void => void navigate({ search: { ...(contains && { contains }) } });
  return (
    <ConfirmationProvider>
      <Page fill>
        <PageHeader title={t('title')} text={t('text')}>
          <ApiCallButton call={{ operation: 'listUsers', ...(contains && { query: { contains } }) }} />
        </PageHeader>
        <Group>
          <NameSearch
            value={contains ?? ''}
            onChange={(text) => void navigate({ search: text === '' ? {} : { contains: text }, replace: true })}
          />
        </Group>
        <DataTable
          label={t('title')}
          columns={columns}
          rows={rows}
          rowId={(row) => String(row.user_id)}
          onOpen={(row) => void navigate({ search: { ...search, user: row.user_id } })}
          empty={<EmptyState icon={UsersRound} title={t('emptyTitle')} text={t('emptyText')} />}
        />
        <SideDialog isOpen={open !== undefined} onClose={close} size="lg" title={open?.name ?? t('title')}>
          {open !== undefined && <UserDetails key={open.user_id} user={open} onDeleted={close} />}
        </SideDialog>
      </Page>
    </ConfirmationProvider>
  );
}

/** Returns the user of the address, who may be on a later page, or not match the text of the search. */
function useUser(userId: number | undefined, listed: readonly User[]): User | undefined {
  const inList = listed.find((row) => row.user_id === userId);
  const search = async (signal: AbortSignal): Promise<User | null> => {
    for await (const user of client.users.list({ signal, limit: 500 })) if (user.user_id === userId) return user;
    return null;
  };
  const { data } = useQuery({
    queryKey: ['users', 'one', userId],
    queryFn: userId === undefined || inList !== undefined ? skipToken : ({ signal }) => search(signal),
  });
  return inList ?? data ?? undefined;
}

function NameSearch({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (text: string) => void;
}): ReactNode {
  const t = useTexts('users');
  const [text, setText] = useState(value);
  const changeLater = useDebouncedCallback(onChange, 200);
  return (
    <TextInput
      size="xs"
      w={300}
      aria-label={t('find')}
      placeholder={t('find')}
      leftSection={<Search size={14} aria-hidden />}
      maxLength={255}
      value={text}
      onChange={({ currentTarget: { value: next } }) => {
        setText(next);
        changeLater(next.trim());
      }}
    />
  );
}

function useColumns(): readonly DataColumn<User>[] {
  const t = useTexts('users');
  return useMemo(
    () => [
      {
        id: 'name',
        label: t('name'),
        width: 200,
        minWidth: 140,
        isFixed: true,
        cell: (row) => (
          <Group gap="xs" wrap="nowrap">
            <Text inherit truncate dir="auto">
              {row.name}
            </Text>
            {row.is_disabled && <ColourBadge color="gray">{t('blocked')}</ColourBadge>}
          </Group>
        ),
      },
      { id: 'email', label: t('email'), width: 240, minWidth: 186, cell: ({ email }) => email },
      { id: 'accounts', label: t('accounts'), width: 220, grows: true, cell: (row) => <Accounts user={row} /> },
      {
        id: 'admin',
        label: t('administrator'),
        width: 205,
        cell: (row) => row.is_installation_admin && <ColourBadge color="indigo">{t('yes')}</ColourBadge>,
      },
      {
        id: 'second',
        label: t('secondFactor'),
        width: 125,
        cell: (row) =>
          row.has_second_factor ? (
            <ColourBadge color="green">{t('on')}</ColourBadge>
          ) : (
            <Text inherit c="dimmed">
              {t('off')}
            </Text>
          ),
      },
      { id: 'seen', label: t('lastSeen'), width: 140, cell: (row) => <DateTime value={row.last_seen_at} ago /> },
    ],
    [t],
  );
}

/** The accounts of a user with the roles, in one line. */
function Accounts({ user: { accounts } }: { readonly user: User }): ReactNode {
  const t = useTexts('users');
  if (accounts.length === 0) {
    return (
      <Text inherit c="dimmed">
        {t('noAccounts')}
      </Text>
    );
  }
  const text = accounts.map(({ name, role }) => `${name} (${t(`roles.${role}`)})`).join(', ');
  return (
    <Text inherit truncate title={text}>
      {text}
    </Text>
  );
}
