import type { BulkChange } from '@roster/client';
import { Progress } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { curlOf } from '#api/call-text.ts';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { ButtonLink } from '#components/actions/links.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { Page } from '#components/layout/page.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import { momentWidth, type DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { StatusBadge } from '#components/values/status-badge.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useAuthorName } from '#shell/account/use-author-name.ts';
import { useTexts } from '#texts/use-texts.ts';
import { useActionText } from './action-text.ts';

/** The bulk changes of the account: those that run, and the history. */
export function BulkChangesPage(): ReactNode {
  const t = useTexts('bulkChanges');
  const common = useTexts('common');
  const { accountId, account } = useAccount();
  const actionText = useActionText();
  const authorOf = useAuthorName();
  const query = useInfiniteQuery({
    ...listingQuery(['accounts', accountId, 'bulk-changes'], (more) => account.bulkChanges.list(more)),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(({ finished_at }) => finished_at === null)) === true
        ? 1_000
        : false,
  });
  const rows = useRowsOfPages(query);
  const columns = useMemo(
    (): DataColumn<BulkChange>[] => [
      { id: 'created', label: t('created'), cell: (row) => <DateTime value={row.created_at} />, width: momentWidth },
      {
        id: 'action',
        label: t('action'),
        cell: (row) => actionText(row.action),
        width: 280,
        grows: true,
        isName: true,
      },
      {
        id: 'status',
        label: t('status'),
        cell: (row) => <StatusBadge status={row.status} />,
        width: 190,
        minWidth: 146,
      },
      {
        id: 'progress',
        label: t('progress'),
        cell: (row) => <Progress value={row.progress.percent} aria-label={t('progress')} w="100%" />,
        width: 140,
        minWidth: 104,
      },
      {
        id: 'total',
        label: t('contacts'),
        cell: (row) => formatNumber(row.progress.total ?? row.expected_count),
        width: 110,
        minWidth: 96,
        align: 'end',
      },
      {
        id: 'changed',
        label: t('changed'),
        cell: (row) => formatNumber(row.counts.changed),
        width: 110,
        minWidth: 98,
        align: 'end',
      },
      {
        id: 'failed',
        label: t('failed'),
        cell: (row) => formatNumber(row.counts.failed),
        width: 100,
        minWidth: 84,
        align: 'end',
      },
      { id: 'author', label: t('author'), cell: (row) => authorOf(row.author), width: 150, minWidth: 114 },
    ],
    [t, actionText, authorOf],
  );
  return (
    <Page fill>
      <PageHeader
        title={t('title')}
        text={t('text')}
        above={[{ label: t('above'), to: `/accounts/${accountId}/contacts` }]}
      >
        <ApiCallButton call={{ operation: 'listBulkChanges', path: { account_id: accountId } }} />
      </PageHeader>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        rowId={(row) => row.bulk_change_id}
        pageOf={(row) => `/accounts/${accountId}/contacts/bulk-changes/${row.bulk_change_id}`}
        empty={
          <EmptyState
            guide="/docs/contract/bulk-changes"
            icon={ListChecks}
            title={t('empty.title')}
            text={t('empty.text')}
            action={
              <ButtonLink to="/accounts/$accountId/contacts" params={{ accountId }}>
                {common('empty.toContacts')}
              </ButtonLink>
            }
            curl={curlOf({
              operation: 'createBulkChange',
              path: { account_id: accountId },
              body: { all_contacts: true, action: { type: 'add_to_list', audience_id: 1 }, expected_count: 1250 },
            })}
          />
        }
      />
    </Page>
  );
}
