import type { Delivery } from '@roster/client';
import { Group, Select, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { curlOf } from '#api/call-text.ts';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { ButtonLink } from '#components/actions/links.tsx';
import { Page } from '#components/layout/page.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import { momentWidth, type DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { DevelopersHeader } from './section/developers-section.tsx';
import { DeliveryBadge } from './outcome-badge.tsx';

/** The callbacks of the account, and whether their receivers accepted them. */
export function DeliveriesPage(): ReactNode {
  const t = useTexts('developers');
  const common = useTexts('common');
  const { accountId, account, can } = useAccount();
  const { status } = useSearch({ from: '/signed-in/accounts/$accountId/developers/deliveries' });
  const navigate = useNavigate();
  const rows = useRowsOfPages(
    useInfiniteQuery(
      listingQuery(['accounts', accountId, 'deliveries', { status }], (more) =>
        account.deliveries.list({ ...(status && { status }), ...more }),
      ),
    ),
  );
  const columns = useMemo(
    (): DataColumn<Delivery>[] => [
      {
        id: 'created',
        label: t('deliveries.created'),
        cell: (row) => <DateTime value={row.created_at} />,
        width: momentWidth,
        isName: true,
      },
      {
        id: 'status',
        label: t('deliveries.status'),
        cell: (row) => <DeliveryBadge delivery={row} />,
        width: 190,
        minWidth: 140,
      },
      {
        id: 'source',
        label: t('deliveries.source'),
        cell: (row) => t(`deliveries.sources.${row.source}`),
        width: 150,
        minWidth: 138,
      },
      { id: 'method', label: t('deliveries.method'), cell: (row) => row.method, width: 90 },
      {
        id: 'url',
        label: t('deliveries.url'),
        cell: (row) => (
          <Text inherit ff="monospace" truncate title={row.url}>
            {row.url}
          </Text>
        ),
        width: 320,
        grows: true,
      },
      {
        id: 'attempts',
        label: t('deliveries.attempts'),
        cell: (row) => formatNumber(row.attempts),
        width: 100,
        align: 'end',
      },
      {
        id: 'next',
        label: t('deliveries.next'),
        cell: (row) => <DateTime value={row.next_attempt_at} ago />,
        width: 150,
      },
    ],
    [t],
  );
  return (
    <Page fill>
      <DevelopersHeader title={t('deliveries.title')} text={t('deliveries.text')}>
        <ApiCallButton call={{ operation: 'listDeliveries', path: { account_id: accountId }, query: { status } }} />
      </DevelopersHeader>
      <Group gap="xs">
        <Select
          aria-label={t('deliveries.status')}
          placeholder={t('deliveries.anyStatus')}
          clearable
          w={200}
          value={status ?? null}
          onChange={(value) =>
            void navigate({ to: '.', search: { status: value ?? undefined } as never, replace: true })
          }
          data={(['pending', 'delivered', 'failed'] as const).map((value) => ({
            value,
            label: t(`deliveries.statuses.${value}`),
          }))}
        />
      </Group>
      <DataTable
        label={t('deliveries.title')}
        columns={columns}
        rows={rows}
        rowId={(row) => row.delivery_id}
        pageOf={(row) => `/accounts/${accountId}/developers/deliveries/${row.delivery_id}`}
        empty={
          <EmptyState
            guide="/docs/callbacks"
            icon={Webhook}
            title={t('deliveries.empty.title')}
            text={t('deliveries.empty.text')}
            action={
              can('export') && (
                <ButtonLink to="/accounts/$accountId/exports/new" params={{ accountId }}>
                  {common('empty.newExport')}
                </ButtonLink>
              )
            }
            curl={curlOf({
              operation: 'createExport',
              path: { account_id: accountId },
              body: { filter: {}, callback: { url: 'https://example.com/exports' } },
            })}
          />
        }
      />
    </Page>
  );
}
