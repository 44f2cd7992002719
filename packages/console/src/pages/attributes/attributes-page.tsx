import type { OperatorAttribute } from '@roster/client';
import { Anchor, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Tags } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { listingQuery } from '#api/listing-query.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import type { DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfPages } from '#components/table/table-rows.ts';
import { ColourBadge } from '#components/values/status-badge.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** The page /attributes: all attributes of the account. */
export function AttributesPage(): ReactNode {
  const t = useTexts('attributes');
  const { accountId, account } = useAccount();
  const navigate = useNavigate();
  const query = useInfiniteQuery(
    listingQuery(['accounts', accountId, 'attributes'], (more) => account.attributes.list({ ...more, limit: 500 })),
  );
  const rows = useRowsOfPages(query);
  const columns = useMemo(
    (): DataColumn<OperatorAttribute>[] => [
      {
        id: 'name',
        label: t('columns.name'),
        isFixed: true,
        grows: true,
        width: 220,
        cell: ({ id, name }) => (
          <Anchor component={Link} to={`/accounts/${accountId}/attributes/${id}`} size="sm" fw={500} truncate>
            {name}
          </Anchor>
        ),
      },
      { id: 'type', label: t('columns.type'), width: 130, cell: ({ data_type: type }) => t(`types.${type}`) },
      {
        id: 'masking',
        label: t('columns.masking'),
        width: 150,
        cell: ({ data_masking: mask }) => (mask === 'none' ? '–' : t(`masks.${mask}`)),
      },
      { id: 'mapping', label: t('columns.mapping'), width: 160, cell: ({ mapping }) => mapping ?? '–' },
      {
        id: 'default',
        label: t('columns.default'),
        width: 160,
        cell: ({ default_value: value }) => (
          <Text size="sm" truncate dir="auto">
            {value === null ? '–' : String(value)}
          </Text>
        ),
      },
      {
        id: 'index',
        label: t('columns.index'),
        width: 150,
        cell: ({ index_status: status }) =>
          status === 'none' ? '–' : <ColourBadge color={indexColors[status]}>{t(`index.${status}`)}</ColourBadge>,
      },
    ],
    [t, accountId],
  );
  return (
    <Page fill>
      <PageHeader title={t('title')} text={t('text')}>
        <ApiCallButton call={{ operation: 'listAttributes', path: { account_id: accountId } }} />
      </PageHeader>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        rowId={({ id }) => String(id)}
        onOpen={({ id }) => void navigate({ to: `/accounts/${accountId}/attributes/${id}` })}
        empty={<EmptyState icon={Tags} title={t('empty.title')} text={t('empty.text')} />}
      />
    </Page>
  );
}

const indexColors = { none: 'gray', building: 'blue', ready: 'green', failed: 'red' } as const;
