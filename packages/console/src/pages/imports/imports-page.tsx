import { Button, Group, SegmentedControl } from '@mantine/core';
import type { Import } from '@roster/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { FileUp } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import type { DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { ColourBadge, StatusBadge } from '#components/values/status-badge.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { isRunning, statusOf } from './run/import-query.ts';
import { statusFilters } from './search.ts';

/** All imports of the account, newest first. */
export function ImportsPage(): ReactNode {
  const t = useTexts('imports');
  const { accountId, account, can } = useAccount();
  const { status } = useSearch({ from: '/signed-in/accounts/$accountId/imports' });
  const navigate = useNavigate();
  const query = useInfiniteQuery({
    ...listingQuery(['accounts', accountId, 'imports', 'list', status], (more) =>
      account.imports.list({ ...more, ...(status === undefined ? {} : { status }) }),
    ),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isRunning)) === true ? 2000 : false,
  });
  const rows = useRowsOfPages(query);
  const columns = useMemo(() => columnsOf(t), [t]);
  const create = can('imports:write') && (
    <Button
      renderRoot={(props) => <Link to="/accounts/$accountId/imports/new" params={{ accountId }} {...props} />}
      leftSection={<FileUp size={14} aria-hidden />}
    >
      {t('list.create')}
    </Button>
  );
  return (
    <Page fill>
      <PageHeader title={t('title')} text={t('list.text')}>
        <ApiCallButton call={{ operation: 'listImports', path: { account_id: accountId }, query: { status } }} />
        {create}
      </PageHeader>
      <Group>
        <SegmentedControl
          size="xs"
          aria-label={t('list.status')}
          value={status ?? 'all'}
          data={statusFilters.map((value) => ({ value, label: t(`filters.${value}`) }))}
          onChange={(value) =>
            void navigate({
              to: '/accounts/$accountId/imports',
              params: { accountId },
              search: value === 'all' ? {} : { status: value },
              replace: true,
            })
          }
        />
      </Group>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        rowId={({ import_id: id }) => id}
        pageOf={({ import_id: id }) => `/accounts/${accountId}/imports/${id}`}
        empty={
          status === undefined ? (
            <EmptyState
              icon={FileUp}
              guide="/docs/moving-in"
              title={t('empty.title')}
              text={t('empty.text')}
              action={create}
              curl={t('empty.curl', { url: location.origin, accountId })}
            />
          ) : (
            <EmptyState icon={FileUp} title={t('empty.noMatch')} text={t('empty.noMatchText')} />
          )
        }
      />
    </Page>
  );
}

function columnsOf(t: TFunction<'imports'>): readonly DataColumn<Import>[] {
  return [
    {
      id: 'file',
      label: t('list.file'),
      width: 260,
      minWidth: 194,
      grows: true,
      isName: true,
      cell: (found) => found.file_name ?? t('list.noName'),
      badge: (found) => (found.dry_run ? <ColourBadge color="gray">{t('list.check')}</ColourBadge> : null),
    },
    { id: 'status', label: t('list.status'), width: 170, minWidth: 162, cell: (found) => <Status found={found} /> },
    ...(
      [
        ['created', 106],
        ['updated', 106],
        ['unchanged', 110],
        ['failed', 130],
      ] as const
    ).map(([count, minWidth]): DataColumn<Import> => ({
      id: count,
      label: t(`counts.${count}`),
      width: Math.max(minWidth, 120),
      minWidth,
      align: 'end',
      cell: ({ counts }) => formatNumber(counts[count]),
    })),
    {
      id: 'created_at',
      label: t('list.createdAt'),
      width: 190,
      cell: ({ created_at: at }) => <DateTime value={at} />,
    },
  ];
}

function Status({ found }: { readonly found: Import }): ReactNode {
  const t = useTexts('imports');
  if (isRunning(found) && found.progress.percent > 0)
    return <StatusBadge status={found.status} label={t('list.running', { percent: found.progress.percent })} />;
  return <StatusBadge status={statusOf(found)} />;
}
