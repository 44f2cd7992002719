import type { EventSubscription } from '@roster/client';
import { Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus, Radio } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { curlOf } from '#api/call-text.ts';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { SideDialog } from '#components/actions/side-dialog.tsx';
import { Page } from '#components/layout/page.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import type { DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { formatDuration, formatNumber } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { DevelopersHeader } from '../section/developers-section.tsx';
import { SubscriptionBadge } from './badges.tsx';
import { NoEventsAlert, useHasNoEvents } from './no-events-alert.tsx';
import { SubscriptionForm } from './subscription-form.tsx';

/** The receivers of events, and how far they are behind. */
export function SubscriptionsPage(): ReactNode {
  const t = useTexts('developers');
  const { accountId, account, can } = useAccount();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const hasNoEvents = useHasNoEvents();
  const rows = useRowsOfPages(
    useInfiniteQuery({
      ...listingQuery(['accounts', accountId, 'event-subscriptions'], (more) => account.eventSubscriptions.list(more)),
      refetchInterval: 5000,
    }),
  );
  const columns = useMemo(
    (): DataColumn<EventSubscription>[] => [
      {
        id: 'name',
        label: t('subscriptions.name'),
        cell: (row) => row.name,
        width: 240,
        minWidth: 170,
        grows: true,
        isFixed: true,
        isName: true,
      },
      {
        id: 'status',
        label: t('deliveries.status'),
        cell: (row) => <SubscriptionBadge subscription={row} />,
        width: 160,
        minWidth: 120,
      },
      {
        id: 'url',
        label: t('subscriptions.url'),
        cell: (row) => (
          <Text inherit ff="monospace" truncate title={row.url}>
            {row.url}
          </Text>
        ),
        width: 280,
        grows: true,
      },
      {
        id: 'lag',
        label: t('subscriptions.lagEvents'),
        cell: (row) => formatNumber(row.lag.events),
        width: 190,
        minWidth: 165,
        align: 'end',
      },
      {
        id: 'age',
        label: t('subscriptions.lagSeconds'),
        cell: (row) => formatDuration(row.lag.seconds),
        width: 160,
        align: 'end',
      },
      {
        id: 'dead',
        label: t('subscriptions.deadLetters'),
        cell: (row) => formatNumber(row.dead_letters),
        width: 130,
        minWidth: 118,
        align: 'end',
      },
    ],
    [t],
  );
  const pageOf = (id: string): string => `/accounts/${accountId}/developers/subscriptions/${id}`;
  const newButton = can('callbacks:write') && (
    <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
      {t('subscriptions.create')}
    </Button>
  );
  return (
    <Page fill>
      <DevelopersHeader title={t('subscriptions.title')} text={t('subscriptions.text')}>
        <ApiCallButton call={{ operation: 'listEventSubscriptions', path: { account_id: accountId } }} />
        {newButton}
      </DevelopersHeader>
      <NoEventsAlert />
      <DataTable
        label={t('subscriptions.title')}
        columns={columns}
        rows={rows}
        rowId={(row) => row.subscription_id}
        pageOf={(row) => pageOf(row.subscription_id)}
        empty={
          <EmptyState
            guide="/docs/event-subscriptions"
            icon={Radio}
            title={t('subscriptions.empty.title')}
            text={t('subscriptions.empty.text')}
            action={!hasNoEvents && newButton}
            curl={curlOf({
              operation: 'createEventSubscription',
              path: { account_id: accountId },
              body: { name: 'Warehouse', url: 'https://example.com/roster-events' },
            })}
          />
        }
      />
      <SideDialog isOpen={isCreating} onClose={() => setCreating(false)} size="xl" title={t('subscriptions.create')}>
        {isCreating && <SubscriptionForm onCreated={(id) => void navigate({ to: pageOf(id) })} />}
      </SideDialog>
    </Page>
  );
}
