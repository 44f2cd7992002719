import { Anchor } from '@mantine/core';
import type { AudienceUse, List, Segment } from '@roster/client';
import { Link } from '@tanstack/react-router';
import { Unlink } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { TextLink } from '#components/actions/links.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import type { DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

const nothing = (): void => undefined;

/** What uses a list or segment now. */
export function AudienceUses({ audience: { uses } }: { readonly audience: List | Segment }): ReactNode {
  const t = useTexts('audiences');
  const columns = useMemo(
    (): DataColumn<AudienceUse>[] => [
      { id: 'feature', label: t('uses.kind'), width: 160, cell: ({ feature }) => t(`uses.features.${feature}`) },
      { id: 'name', label: t('name'), width: 320, grows: true, cell: (use) => <UseLink use={use} /> },
      {
        id: 'prevents',
        label: t('uses.effect'),
        width: 220,
        cell: ({ prevents_deletion: prevents }) => t(prevents ? 'uses.prevents' : 'uses.allows'),
      },
    ],
    [t],
  );
  return (
    <DataTable
      label={t('uses.column')}
      columns={columns}
      rows={{
        rows: uses,
        isLoading: false,
        isRefreshing: false,
        error: null,
        hasMore: false,
        isLoadingMore: false,
        loadMore: nothing,
        retry: nothing,
      }}
      rowId={({ feature, id }) => `${feature} ${id}`}
      empty={<EmptyState icon={Unlink} title={t('uses.noneTitle')} text={t('uses.noneText')} />}
    />
  );
}

function UseLink({ use: { feature, id, name } }: { readonly use: AudienceUse }): ReactNode {
  const { accountId } = useAccount();
  if (feature === 'export_schedule') {
    return (
      <TextLink
        to="/accounts/$accountId/exports/schedules"
        params={{ accountId }}
        search={{ schedule: String(id), view: 'runs' }}
        inherit
      >
        {name}
      </TextLink>
    );
  }
  const path =
    feature === 'segment'
      ? `audiences/segments/${id}`
      : feature === 'export'
        ? `exports/${id}`
        : feature === 'import'
          ? `imports/${id}`
          : feature === 'event_subscription'
            ? `developers/subscriptions/${id}`
            : undefined;
  if (path === undefined) return name;
  return (
    <Anchor component={Link} to={`/accounts/${accountId}/${path}`} inherit>
      {name}
    </Anchor>
  );
}
