import type { ApiKey } from '@roster/client';
import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { Page } from '#components/layout/page.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import { momentWidth, type DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { StatusBadge } from '#components/values/status-badge.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { CreateApiKey } from './create-api-key.tsx';
import { DevelopersHeader } from './section/developers-section.tsx';

/** The API keys of the account. */
export function ApiKeysPage(): ReactNode {
  const t = useTexts('developers');
  const { accountId, account, can } = useAccount();
  const cache = useQueryClient();
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey>();
  const key = useMemo(() => ['accounts', accountId, 'api-keys'], [accountId]);
  const rows = useRowsOfPages(useInfiniteQuery(listingQuery(key, (more) => account.apiKeys.list(more))));
  const mayWrite = can('api-keys:write');

  const columns = useMemo(
    (): DataColumn<ApiKey>[] => [
      {
        id: 'name',
        label: t('apiKeys.name'),
        cell: (row) => (
          <Text inherit fw={500} truncate>
            {row.name}
          </Text>
        ),
        width: 200,
        minWidth: 130,
        grows: true,
      },
      {
        id: 'key',
        label: t('apiKeys.key'),
        cell: (row) => (
          <Text inherit ff="monospace">
            {row.key_hint}…
          </Text>
        ),
        width: 150,
        minWidth: 130,
      },
      {
        id: 'status',
        label: t('apiKeys.status'),
        cell: (row) => <StatusBadge status={row.status} />,
        width: 152,
        minWidth: 110,
      },
      {
        id: 'scopes',
        label: t('apiKeys.scopes'),
        cell: (row) => (
          <Text inherit truncate title={row.scopes.join(', ')}>
            {row.scopes.join(', ')}
          </Text>
        ),
        width: 280,
        grows: true,
      },
      {
        id: 'used',
        label: t('apiKeys.lastUsed'),
        cell: (row) => (row.last_used_at === null ? t('apiKeys.never') : <DateTime value={row.last_used_at} ago />),
        width: 152,
        minWidth: 148,
      },
      {
        id: 'expires',
        label: t('apiKeys.expires'),
        cell: (row) => <DateTime value={row.expires_at} />,
        width: momentWidth,
      },
      {
        id: 'actions',
        isPinned: true,
        label: t('apiKeys.actions'),
        isFixed: true,
        width: 130,
        cell: (row) =>
          mayWrite && row.status === 'active' ? (
            <Button
              variant="subtle"
              color="red"
              size="compact-xs"
              aria-label={t('apiKeys.revokeNamed', { name: row.name })}
              onClick={() => setRevoked(row)}
            >
              {t('apiKeys.revoke')}
            </Button>
          ) : null,
      },
    ],
    [t, mayWrite],
  );

  return (
    <Page fill>
      <DevelopersHeader title={t('apiKeys.title')} text={t('apiKeys.text')}>
        <ApiCallButton call={{ operation: 'listApiKeys', path: { account_id: accountId } }} />
        {mayWrite && (
          <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
            {t('apiKeys.create')}
          </Button>
        )}
      </DevelopersHeader>
      <DataTable
        label={t('apiKeys.title')}
        columns={columns}
        rows={rows}
        rowId={(row) => String(row.api_key_id)}
        empty={
          <EmptyState
            guide="/docs/guides/developer#get-a-key"
            icon={KeyRound}
            title={t('apiKeys.empty.title')}
            text={t('apiKeys.empty.text')}
          />
        }
      />
      <CreateApiKey isOpen={isCreating} onClose={() => setCreating(false)} listKey={key} />
      <ConfirmDialog
        isOpen={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        title={t('apiKeys.revokeTitle', { name: revoked?.name ?? '' })}
        action={t('apiKeys.revoke')}
        onConfirm={async () => {
          await account.apiKeys.revoke(revoked!.api_key_id);
          await cache.invalidateQueries({ queryKey: key });
        }}
      >
        <Group>
          <Text size="sm">{t('apiKeys.revokeText')}</Text>
        </Group>
      </ConfirmDialog>
    </Page>
  );
}
