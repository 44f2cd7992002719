import type { OperatorAttribute } from '@roster/client';
import { Badge, Button, Group, SegmentedControl, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Search, Tags } from 'lucide-react';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { curlOf } from '#api/call-text.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHeader } from '#components/layout/page-header.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import type { DataColumn } from '#components/table/columns.ts';
import { DataTable } from '#components/table/data-table.tsx';
import { useRowsOfList } from '#components/table/table-rows.ts';
import { formatNumber } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { FilledCell, IndexCell, Nothing, ValueText } from './attribute-cells.tsx';
import { AttributeMenu } from './attribute-menu.tsx';
import { readSort, writeSort, type AttributeGroup, type AttributesSearch } from './attributes-search.ts';
import { AttributeDialog, type AttributeAction, type ChosenAction } from './dialogs/attribute-dialogs.tsx';
import { findAttributes } from './find-attributes.ts';
import { attributesKey, useAttributes } from './registry/use-attributes.ts';

/** The page /attributes: all attributes of the account. */
export function AttributesPage(): ReactNode {
  const t = useTexts('attributes');
  const { accountId, can } = useAccount();
  const queries = useQueryClient();
  const navigate = useNavigate({ from: '/accounts/$accountId/attributes' });
  const search = useSearch({ from: '/signed-in/accounts/$accountId/attributes' });
  const query = useAttributes();
  const [chosen, setChosen] = useState<ChosenAction | undefined>(undefined);
  const all = query.data;
  const found = useMemo(() => findAttributes(all ?? [], search), [all, search]);
  const rows = { ...useRowsOfList(query), rows: found };
  const change = (next: AttributesSearch): void =>
    void navigate({ search: (now) => ({ ...now, ...next }), replace: true });
  const open = (id: number): void =>
    void navigate({
      to: '/accounts/$accountId/attributes/$attributeId',
      params: { accountId, attributeId: String(id) },
    });
  const act = useCallback(
    (action: AttributeAction, attribute: OperatorAttribute) => setChosen({ action, attribute }),
    [],
  );
  const columns = useColumns(act);
  const createButton = can('attributes:write') && (
    <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setChosen({ action: 'create' })}>
      {t('create.title')}
    </Button>
  );
  return (
    <Page fill>
      <PageHeader title={t('title')} text={t('text')}>
        <ApiCallButton call={{ operation: 'listAttributes', path: { account_id: accountId } }} />
        {createButton}
      </PageHeader>
      {all !== undefined && (
        <Group gap="xs">
          <TextInput
            size="xs"
            w={{ base: '100%', xs: 260 }}
            aria-label={t('find')}
            placeholder={t('find')}
            leftSection={<Search size={14} aria-hidden />}
            maxLength={64}
            value={search.find ?? ''}
            onChange={({ currentTarget: { value } }) => change({ find: value === '' ? undefined : value })}
          />
          <Groups all={all} value={search.group} onChange={(group) => change({ group })} />
        </Group>
      )}
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        rowId={({ id }) => String(id)}
        pageOf={({ id }) => `/accounts/${accountId}/attributes/${id}`}
        sort={readSort(search.sort)}
        onSort={(sort) => change({ sort: writeSort(sort) })}
        empty={
          search.find === undefined ? (
            <EmptyState
              icon={Tags}
              title={t('empty.title')}
              text={t('empty.text')}
              action={createButton}
              guide="/docs/attributes"
              curl={curlOf({
                operation: 'createAttributes',
                accountId,
                body: { data: [{ name: 'CUSTOMER_TIER', data_type: 'text', default_value: 'bronze' }] },
              })}
            />
          ) : (
            <EmptyState icon={Search} title={t('empty.found')} text={t('empty.foundText')} />
          )
        }
      />
      <AttributeDialog
        chosen={chosen}
        onClose={() => setChosen(undefined)}
        onCreated={(name) => {
          const now = queries.getQueryData<readonly OperatorAttribute[]>(attributesKey(accountId));
          const created = now?.find((one) => one.name === name);
          if (created !== undefined) open(created.id);
        }}
      />
    </Page>
  );
}

/** Chooses between the attributes of all accounts and those of this account. */
function Groups({
  all,
  value,
  onChange,
}: {
  readonly all: readonly OperatorAttribute[];
  readonly value: AttributeGroup | undefined;
  readonly onChange: (group: AttributeGroup | undefined) => void;
}): ReactNode {
  const t = useTexts('attributes');
  const standard = all.filter(({ system }) => system).length;
  const counts = { all: all.length, own: all.length - standard, standard };
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('groups.label')}
      data={(['all', 'own', 'standard'] as const).map((group) => ({
        value: group,
        label: `${t(`groups.${group}`)} ${formatNumber(counts[group])}`,
      }))}
      value={value ?? 'all'}
      onChange={(group) => onChange(group === 'all' ? undefined : group)}
    />
  );
}

function useColumns(
  onAction: (action: AttributeAction, attribute: OperatorAttribute) => void,
): readonly DataColumn<OperatorAttribute>[] {
  const t = useTexts('attributes');
  const { can } = useAccount();
  const canWrite = can('attributes:write');
  return useMemo(
    (): DataColumn<OperatorAttribute>[] => [
      {
        id: 'name',
        label: t('columns.name'),
        isFixed: true,
        isName: true,
        isSortable: true,
        grows: true,
        width: 230,
        minWidth: 192,
        cell: ({ name }) => (
          <Text component="span" inherit fw={500}>
            {name}
          </Text>
        ),
        badge: ({ system }) =>
          system ? (
            <Badge variant="default" size="xs" tt="none" fw={500}>
              {t('system')}
            </Badge>
          ) : null,
      },
      {
        id: 'type',
        label: t('columns.type'),
        width: 180,
        minWidth: 157,
        isSortable: true,
        cell: ({ data_type: type }) => t(`types.${type}`),
      },
      {
        id: 'filled',
        label: t('columns.filled'),
        width: 200,
        minWidth: 133,
        align: 'end',
        isSortable: true,
        cell: ({ filled }) => <FilledCell filled={filled} />,
      },
      {
        id: 'default',
        label: t('columns.default'),
        width: 140,
        minWidth: 118,
        cell: ({ data_type: type, default_value: value }) => (
          <Text component="span" inherit dir="auto">
            <ValueText type={type} value={value} />
          </Text>
        ),
      },
      {
        id: 'masking',
        label: t('columns.masking'),
        width: 150,
        minWidth: 139,
        cell: ({ data_masking: mask }) => (mask === 'none' ? <Nothing /> : t(`masks.${mask}`)),
      },
      {
        id: 'mapping',
        label: t('columns.mapping'),
        width: 130,
        minWidth: 110,
        cell: ({ mapping }) => mapping ?? <Nothing />,
      },
      {
        id: 'index',
        label: t('columns.index'),
        width: 130,
        minWidth: 93,
        cell: (attribute) => <IndexCell attribute={attribute} />,
      },
      ...(canWrite
        ? [
            {
              id: 'actions',
              isPinned: true,
              label: t('actions'),
              header: <VisuallyHidden>{t('actions')}</VisuallyHidden>,
              width: 56,
              isFixed: true,
              cell: (attribute: OperatorAttribute) => <AttributeMenu attribute={attribute} onAction={onAction} />,
            },
          ]
        : []),
    ],
    [t, canWrite, onAction],
  );
}
