import type { MessageActivity } from '@roster/client';
import { Anchor, Drawer, Select, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { useFirstDay } from '#components/charts/period-control.tsx';
import { defaultPeriod } from '#components/charts/period.ts';
import { EmptyState } from '#components/states/empty-state.tsx';
import { momentWidth, type DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { isKind, kinds, sumOf, type Kind } from './kinds.ts';

/** The people of the message in the address, at the side of the page. */
export function PeopleDrawer(): ReactNode {
  const common = useTexts('common');
  const { message } = useSearch({ from: '/signed-in/accounts/$accountId/activity' });
  const navigate = useNavigate({ from: '/accounts/$accountId/activity' });
  const close = (): void => void navigate({ search: (old) => ({ ...old, message: undefined, activity: undefined }) });
  return (
    <Drawer
      opened={message !== undefined}
      onClose={close}
      position="right"
      size="xl"
      // Otherwise, the header of the drawer would be a second banner of the page.
      attributes={{ header: { role: 'presentation' } }}
      title={message === undefined ? undefined : <MessageName message={message} />}
      closeButtonProps={{ 'aria-label': common('actions.close') }}
    >
      {message !== undefined && <People message={message} />}
    </Drawer>
  );
}

function MessageName({ message }: { readonly message: number }): ReactNode {
  const t = useTexts('activity');
  const { accountId, account } = useAccount();
  const { days = defaultPeriod } = useSearch({ from: '/signed-in/accounts/$accountId/activity' });
  const from = useFirstDay(days);
  const { data } = useQuery({
    queryKey: ['accounts', accountId, 'statistics', 'messages', from, 'one', message],
    queryFn: async ({ signal }) => {
      const page = await account.statistics.messages({ signal, from, message_id: message, limit: 1 }).page();
      return page.data[0]?.name ?? null;
    },
    enabled: from !== undefined,
  });
  return (
    <Text component="span" fw={600}>
      {data ?? t('messages.unnamed', { number: message })}
    </Text>
  );
}

function People({ message }: { readonly message: number }): ReactNode {
  const t = useTexts('activity');
  const common = useTexts('common');
  const { accountId, account } = useAccount();
  const search = useSearch({ from: '/signed-in/accounts/$accountId/activity' });
  const { days = defaultPeriod, channel, activity = 'open' } = search;
  const navigate = useNavigate({ from: '/accounts/$accountId/activity' });
  const from = useFirstDay(days);
  const counts = useQuery({
    queryKey: ['accounts', accountId, 'statistics', 'activities', from, channel, message],
    queryFn: ({ signal }) => account.statistics.activities({ signal, from, channel, message_id: message }),
    enabled: from !== undefined,
  });
  const query = useInfiniteQuery({
    ...listingQuery(['accounts', accountId, 'statistics', 'people', message, activity, from, channel], (more) =>
      account.statistics.people(message, { ...more, activity, from, channel }),
    ),
    enabled: from !== undefined,
  });
  const rows = useRowsOfPages(query);
  const columns = useColumns(activity);
  const sums = counts.data === undefined ? undefined : sumOf(counts.data.totals);
  return (
    <Stack gap="sm">
      <Stack gap="xs" align="flex-start">
        <Select
          label={t('people.activity')}
          w={240}
          data={kinds.map((kind) => ({
            value: kind,
            label: common(`activityKinds.${kind}`) + (sums === undefined ? '' : ` (${formatNumber(sums[kind])})`),
          }))}
          value={activity}
          allowDeselect={false}
          onChange={(chosen) => {
            if (isKind(chosen)) void navigate({ search: (old) => ({ ...old, activity: chosen }) });
          }}
        />
        <ApiCallButton
          call={{
            operation: 'listMessageActivities',
            path: { account_id: accountId, message_id: message },
            query: { activity, from, channel },
          }}
        />
      </Stack>
      <DataTable
        label={common(`activityKinds.${activity}`)}
        columns={columns}
        rows={rows}
        rowId={(row) => `${row.contact_id} ${row.occurred_at} ${row.channel}`}
        empty={<EmptyState icon={Users} title={t('people.none')} text={t('people.noneText')} />}
      />
    </Stack>
  );
}

function useColumns(activity: Kind): readonly DataColumn<MessageActivity>[] {
  const t = useTexts('activity');
  const common = useTexts('common');
  const { accountId } = useAccount();
  return useMemo(
    () => [
      {
        id: 'contact',
        label: t('people.contact'),
        width: 220,
        grows: true,
        cell: (row) => (
          <Anchor component={Link} to={`/accounts/${accountId}/contacts/${row.contact_id}`} size="sm" truncate>
            {row.identity ?? t('people.anonymous', { number: row.contact_id })}
          </Anchor>
        ),
      },
      { id: 'when', label: t('people.when'), width: momentWidth, cell: (row) => <DateTime value={row.occurred_at} /> },
      { id: 'channel', label: t('people.channel'), width: 90, cell: (row) => common(`channels.${row.channel}`) },
      ...(activity === 'click' || activity === 'bounce'
        ? [
            {
              id: 'detail',
              label: t('people.detail'),
              width: 200,
              cell: (row: MessageActivity) =>
                row.bounce_type === null ? (row.link ?? '–') : t(`people.${row.bounce_type}`),
            },
          ]
        : []),
    ],
    [t, common, accountId, activity],
  );
}
