import { Button, Group, Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Export, RunningWork } from '@roster/client';
import { FileDown, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { curlOf } from '#api/call-text.ts';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import type { DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { formatBytes, formatNumber } from '#components/values/format.ts';
import { StatusBadge } from '#components/values/status-badge.tsx';
import { SavedViews } from '#components/views/saved-views.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useAuthorName } from '#shell/account/use-author-name.ts';
import { useRunningWork } from '#shell/account/use-running-work.ts';
import { useTexts } from '#texts/use-texts.ts';
import { ExportTabs } from './export-tabs.tsx';
import { exportStatuses, readExportSearch } from './search.ts';
import { useSourceName } from './use-names.ts';

/** The page /exports: all exports, newest first. */
export function ExportsPage(): ReactNode {
  const t = useTexts('exports');
  const common = useTexts('common');
  const { accountId, account, can } = useAccount();
  const { status } = useSearch({ from: '/signed-in/accounts/$accountId/exports' });
  const navigate = useNavigate({ from: '/accounts/$accountId/exports' });
  const limit = status === undefined ? {} : { status };
  const query = useInfiniteQuery(
    listingQuery(['accounts', accountId, 'exports', 'list', status], (more) =>
      account.exports.list({ ...more, ...limit }),
    ),
  );
  const rows = useRowsOfPages(query);
  const columns = useColumns();
  const newButton = can('export') && (
    <Button component={Link} to={`/accounts/${accountId}/exports/new`} leftSection={<Plus size={14} aria-hidden />}>
      {t('new')}
    </Button>
  );
  const example = { operation: 'createExport', path: { account_id: accountId }, body: { filter: {} } } as const;
  return (
    <Page fill>
      <PageHeader title={t('title')} text={t('about')}>
        <SavedViews
          accountId={accountId}
          account={account}
          page="exports"
          state={limit}
          canShare={can('segments:write')}
          onOpen={(state) => void navigate({ search: readExportSearch(state) })}
        />
        <ApiCallButton call={{ operation: 'listExports', path: { account_id: accountId }, query: limit }} />
        {newButton}
      </PageHeader>
      <ExportTabs value="exports" />
      <Group mb="sm">
        <Select
          size="xs"
          w={200}
          aria-label={t('status.label')}
          placeholder={t('status.all')}
          clearable
          value={status ?? null}
          data={exportStatuses.map((one) => ({ value: one, label: common(`status.${one}`) }))}
          onChange={(value) => {
            const next = exportStatuses.find((one) => one === value);
            void navigate({ search: next === undefined ? {} : { status: next }, replace: true });
          }}
        />
      </Group>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        rowId={(row) => row.request_id}
        pageOf={(row) => `/accounts/${accountId}/exports/${row.request_id}`}
        empty={
          <EmptyState
            icon={FileDown}
            title={t('empty.title')}
            text={t('empty.text')}
            action={newButton}
            guide="/docs/exports"
            curl={curlOf(example)}
          />
        }
      />
    </Page>
  );
}

function useColumns(): readonly DataColumn<Export>[] {
  const t = useTexts('exports');
  const nameOf = useSourceName();
  const authorOf = useAuthorName();
  const running = new Map(useRunningWork().map((work) => [work.id, work]));
  return [
    {
      id: 'what',
      label: t('columns.what'),
      width: 240,
      grows: true,
      isFixed: true,
      isName: true,
      cell: nameOf,
    },
    {
      id: 'status',
      label: t('columns.status'),
      width: 170,
      minWidth: 140,
      cell: (row) => <StatusBadge status={row.status} />,
    },
    {
      id: 'progress',
      label: t('columns.progress'),
      width: 130,
      minWidth: 96,
      align: 'end',
      cell: (row) => rowsText(row, running.get(row.request_id)),
    },
    {
      id: 'size',
      label: t('columns.size'),
      width: 110,
      minWidth: 96,
      align: 'end',
      cell: (row) => (row.file_size === null ? '–' : formatBytes(row.file_size)),
    },
    { id: 'author', label: t('columns.author'), width: 160, minWidth: 130, cell: (row) => authorOf(row.author) },
    {
      id: 'accepted',
      label: t('columns.accepted'),
      width: 150,
      cell: (row) => <DateTime value={row.accepted_at} ago />,
    },
    {
      id: 'expires',
      label: t('columns.expires'),
      width: 190,
      cell: (row) => <DateTime value={row.status === 'completed' ? row.expires_at : null} />,
    },
  ];
}

function rowsText(row: Export, work: RunningWork | undefined): string {
  if (row.status === 'accepted') return '–';
  if (row.status === 'running' && work?.percent != null) return formatNumber(work.percent / 100, { style: 'percent' });
  return formatNumber(row.rows_written);
}
