import type { Erasure } from '@roster/client';
import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserX } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { curlOf } from '#api/call-text.ts';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { ButtonLink } from '#components/actions/links.tsx';
import { SideDialog } from '#components/actions/side-dialog.tsx';
import { Page } from '#components/layout/page.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import type { DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { StatusBadge } from '#components/values/status-badge.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { ErasureDetails } from './erasure-details.tsx';
import { PrivacyHeader } from './privacy-section.tsx';

/** The erasures of people, and their progress. */
export function ErasuresPage(): ReactNode {
  const t = useTexts('privacy');
  const common = useTexts('common');
  const { accountId, account, can } = useAccount();
  const query = useInfiniteQuery({
    ...listingQuery(['accounts', accountId, 'erasures'], (more) => account.erasures.list(more)),
    // A running erasure searches for traces in the background.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(({ status }) => status === 'running')) === true ? 3_000 : false,
  });
  const rows = useRowsOfPages(query);
  const { erasure } = useSearch({ from: '/signed-in/accounts/$accountId/privacy/erasures' });
  const navigate = useNavigate({ from: '/accounts/$accountId/privacy/erasures' });
  const open = (next: string | undefined): void =>
    void navigate({ search: next === undefined ? {} : { erasure: next } });
  const columns = useMemo(
    (): DataColumn<Erasure>[] => [
      {
        id: 'contact',
        label: t('erasures.contact'),
        cell: (row) => (
          <Text inherit ff="monospace">
            {row.contact_id}
          </Text>
        ),
        width: 90,
        minWidth: 84,
      },
      {
        id: 'status',
        label: t('erasures.status'),
        cell: (row) => <StatusBadge status={row.status} />,
        width: 150,
        minWidth: 104,
      },
      {
        id: 'accepted',
        label: t('erasures.accepted'),
        cell: (row) => <DateTime value={row.accepted_at} />,
        width: 173,
      },
      {
        id: 'finished',
        label: t('erasures.finished'),
        cell: (row) => <DateTime value={row.finished_at} />,
        width: 173,
      },
      {
        id: 'items',
        label: t('erasures.items'),
        cell: (row) => formatNumber(row.erased.items),
        width: 112,
        minWidth: 106,
        align: 'end',
      },
      {
        id: 'mails',
        label: t('erasures.mails'),
        cell: (row) => formatNumber(row.erased.mails),
        width: 76,
        minWidth: 74,
        align: 'end',
      },
      {
        id: 'signUps',
        label: t('erasures.signUps'),
        cell: (row) => formatNumber(row.erased.sign_ups),
        width: 126,
        minWidth: 120,
        align: 'end',
      },
      {
        id: 'files',
        label: t('erasures.files'),
        cell: (row) =>
          row.export_files.length === 0
            ? t('erasures.noFiles')
            : t('erasures.someFiles', {
                count: row.export_files.length,
                formatted: formatNumber(row.export_files.length),
              }),
        width: 190,
        minWidth: 164,
        grows: true,
      },
    ],
    [t],
  );
  const curl = curlOf({ operation: 'eraseContact', path: { account_id: accountId }, query: { mode: 'erase' } });
  return (
    <Page fill>
      <PrivacyHeader title={t('erasures.title')} text={t('erasures.text')}>
        <ApiCallButton call={{ operation: 'listErasures', path: { account_id: accountId } }} />
      </PrivacyHeader>
      <DataTable
        label={t('erasures.title')}
        columns={columns}
        rows={rows}
        rowId={(row) => row.request_id}
        onOpen={(row) => open(row.request_id)}
        empty={
          <EmptyState
            guide="/docs/guides/privacy-officer"
            icon={UserX}
            title={t('erasures.empty.title')}
            text={t('erasures.empty.text')}
            action={
              can('privacy:write') && (
                <ButtonLink to="/accounts/$accountId/contacts" params={{ accountId }}>
                  {common('empty.toContacts')}
                </ButtonLink>
              )
            }
            curl={curl}
          />
        }
      />
      <SideDialog isOpen={erasure !== undefined} onClose={() => open(undefined)} size="lg" title={t('erasures.one')}>
        {erasure !== undefined && <ErasureDetails key={erasure} erasureId={erasure} />}
      </SideDialog>
    </Page>
  );
}
